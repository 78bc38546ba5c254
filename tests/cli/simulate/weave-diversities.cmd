# Every model on sensitive values that the joint tree keeps; each release is verified by itself.
for model in 'p-sensitive, p: 3, k: 4' 'alpha-k, alpha: 0.4, k: 4' 'l-diversity, variant: distinct, l: 3' \
  'l-diversity, variant: frequency, l: 2.5' 'l-diversity, variant: entropy, l: 2.5' 'l-diversity, variant: recursive, l: 2, c: 2'; do
  (sed '/^partition\|^protocol/d' $FIXTURES/joint.yaml; printf 'partition: horizontal\nprotocol: weave\n') |
    sed "s/^.*model: k-anonymity.*$/&\n  - {model: $model, attribute: disease}/" > s.yaml
  rm -rf run
  kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --no-progress |
    sed -n '/^classes/p;/^loss/p;/^holds/,$p'
  kith verify s.yaml run/release.csv --data $FIXTURES/joint.csv --quiet
done
