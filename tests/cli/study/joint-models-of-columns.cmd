# What a joint tree of columns cannot keep is refused by name, one model after another.
cp $FIXTURES/joint/a.csv .
printf 'id,a,b,d\n1,a,a,x\n' > people.csv
while read -r model; do
  (cat $FIXTURES/joint/rows.yaml; echo "  - {model: $model}"; printf 'partition: vertical\nids: id\n') > s.yaml
  ! kith study check s.yaml 2>&1
done <<'END'
k-map, k: 3, population: people.csv
dissimilarity, variant: equal, epsilon: 0.5, delta: 0.5, k: 2, attribute: d
m-invariance, m: 2, attribute: d
l-site-diversity, variant: sites, l: 2
l-site-diversity, variant: attributes, l: 2, attributes: [a]
m-privacy, k: 3
END
