sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: alpha-k, alpha: 0.3, k: 3, attribute: disease}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet
