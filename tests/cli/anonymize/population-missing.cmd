sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: k-map, k: 3, population: nowhere.csv}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet
