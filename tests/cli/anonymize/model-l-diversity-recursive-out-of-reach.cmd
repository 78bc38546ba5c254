sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: l-diversity, variant: recursive, l: 4, c: 1, attribute: disease}" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet
