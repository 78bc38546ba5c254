cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'utility: {measure: wmi, w: 1.5}' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1 --threads 1
