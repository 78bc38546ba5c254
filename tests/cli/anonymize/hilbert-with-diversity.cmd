cp $FIXTURES/measures/base.yaml s.yaml
echo "  - {model: l-diversity, variant: frequency, l: 2, attribute: disease}" >> s.yaml
echo 'algorithm: hilbert' >> s.yaml
kith anonymize s.yaml -i $FIXTURES/measures/people.csv -o r.csv --seed 1
