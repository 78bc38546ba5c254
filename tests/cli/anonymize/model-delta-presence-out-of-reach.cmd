sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: delta-presence, min: 0.5, max: 0.8, subset: {column: enrolled, values: ['yes']}}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet
