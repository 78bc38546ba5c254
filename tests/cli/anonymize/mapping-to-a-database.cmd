sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
printf '  - {model: k-anonymity, k: 3}\nalgorithm: mondrian\n' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o other.csv --mapping 'sqlite:m.db?table=m' --force
