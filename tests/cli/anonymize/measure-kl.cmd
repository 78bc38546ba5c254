cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'utility: {measure: kl}' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1 --threads 1
