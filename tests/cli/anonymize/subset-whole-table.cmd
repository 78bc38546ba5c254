sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: delta-presence, min: 0.1, max: 0.2, subset: {column: enrolled, values: ['yes', 'no']}}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet
