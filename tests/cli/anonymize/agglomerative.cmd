cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'algorithm: agglomerative' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1 --threads 1 --quiet; cat r.csv
