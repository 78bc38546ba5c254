sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
printf '  - {model: k-anonymity, k: 3}\nalgorithm: mondrian\n' >> s.yaml
echo mine > m.csv
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o other.csv --seed 1 --mapping m.csv --shuffle --force --quiet
wc -l < m.csv
