for algorithm in weave mondrian agglomerative; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
  printf '%s\n' "  - {model: dissimilarity, epsilon: 0.5, delta: 0.3, k: 3, attribute: disease}" "algorithm: $algorithm" >> s.yaml
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet
  kith verify s.yaml r.csv --quiet
done
