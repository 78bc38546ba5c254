sed -e "s/role: sensitive/role: insensitive/" $FIXTURES/measures/base.yaml > s.yaml
echo 'utility: {measure: pmi}' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1
