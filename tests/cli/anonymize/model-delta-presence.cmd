for algorithm in weave sequential mondrian agglomerative; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
  printf '%s\n' "  - {model: delta-presence, min: 0.2, max: 0.5, subset: {column: enrolled, values: ['yes']}}" "algorithm: $algorithm" >> s.yaml
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet
  kith verify s.yaml r.csv --data $FIXTURES/models/people.csv --quiet
done
