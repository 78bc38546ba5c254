# Unions of classes may break the model: the algorithm refuses it.
sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
printf '%s\n' "  - {model: dissimilarity, epsilon: 0.5, delta: 0.3, k: 3, attribute: disease}" "algorithm: hilbert" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet
