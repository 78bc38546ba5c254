for algorithm in weave sequential mondrian agglomerative; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
  printf '%s\n' "  - {model: p-sensitive, p: 2, k: 3, attribute: disease}" "algorithm: $algorithm" >> s.yaml
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet
  kith verify s.yaml r.csv --data $FIXTURES/models/people.csv --quiet
done
