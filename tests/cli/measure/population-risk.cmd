sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: k-map, k: 4, population: $FIXTURES/models/population.csv}" >> s.yaml
echo "algorithm: mondrian" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --seed 1 --quiet
kith measure s.yaml $FIXTURES/models/people.csv r.csv | sed -n '/^Risk/,$p'
