# A single class that could spare any record.
sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: k-anonymity, k: 7}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --seed 1 --explain
