cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'engine: sql' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv
