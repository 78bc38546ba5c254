# Models about sites in words, and how many rows or sites there are at least.
cat > more <<'END'
  - {model: l-site-diversity, variant: sites, l: 2}
  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [sex]}
  - {model: m-privacy, k: 2}
END
sed '/model: k-anonymity/r more' $FIXTURES/joint.yaml > s.yaml
printf 'partition: horizontal\nprotocol: clustering\npublish: own-rows\n' >> s.yaml
kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process | sed -n '/^holds/,$p'
