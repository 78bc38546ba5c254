# The table keeps the model, but not the stricter rule by which the joint tree keeps it.
sed '/^partition\|^protocol/d' $FIXTURES/joint.yaml > s.yaml
echo '  - {model: l-diversity, variant: entropy, l: 3.5, attribute: disease}' >> s.yaml
printf 'partition: horizontal\nprotocol: weave\n' >> s.yaml
kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --no-progress
