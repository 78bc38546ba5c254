# The fallback of the algorithm, the whole table, breaks the model.
sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
printf '%s\n' "  - {model: m-invariance, m: 2, attribute: disease}" "algorithm: mondrian" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet
