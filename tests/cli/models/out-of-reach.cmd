# What this table cannot give, with what it can.
while read -r model; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml; echo "  - $model" >> s.yaml
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --quiet; echo "exit $?"
done 2>&1 <<END
{model: l-diversity, variant: distinct, l: 5, attribute: disease}
{model: l-diversity, variant: entropy, l: 4, attribute: disease}
{model: l-diversity, variant: recursive, l: 4, c: 1, attribute: disease}
{model: alpha-k, alpha: 0.3, k: 3, attribute: disease}
{model: p-sensitive, p: 5, k: 6, attribute: disease}
{model: lkc, l: 2, k: 3, c: 0.2, attribute: disease, values: [flu]}
{model: delta-presence, min: 0.5, max: 0.8, subset: {column: enrolled, values: ['yes']}}
{model: delta-presence, min: 0.1, max: 0.2, subset: {column: enrolled, values: [perhaps]}}
{model: delta-presence, min: 0.1, max: 0.2, subset: {column: enrolled, values: ['yes', 'no']}}
{model: k-map, k: 17, population: $FIXTURES/models/population.csv}
{model: k-map, k: 3, population: nowhere.csv}
{model: k-map, k: 3, population: $FIXTURES/models/disease.csv}
END
