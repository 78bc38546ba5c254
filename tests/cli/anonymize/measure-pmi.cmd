cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'utility: {measure: pmi, norm: 1}' 'algorithm: sequential' 'restarts: 20' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1 --threads 1 --json | grep -E '"(measure|objective|algorithm|holds)"'; cat r.csv
