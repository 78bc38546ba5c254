cp $FIXTURES/measures/base.yaml s.yaml
printf '%s\n' 'engine: sql' >> s.yaml
kith anonymize s.yaml -i 'postgresql://kith@/clinic?table=people' -o r.csv
