# A release that only k-anonymity would accept.
cat > r.csv <<'END'
age,zip,disease,stay,enrolled
20-39,801*,flu,1,yes
20-39,801*,flu,2,yes
20-39,801*,flu,9,yes
40-59,80**,flu,3,no
40-59,80**,cold,4,no
40-59,80**,gout,5,no
40-59,80**,asthma,6,no
END
while read -r model; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml; echo "  - $model" >> s.yaml
  kith verify s.yaml r.csv; echo "exit $?"
done 2>&1 <<END
{model: k-map, k: 12, population: $FIXTURES/models/population.csv}
{model: l-diversity, variant: distinct, l: 2, attribute: disease}
{model: l-diversity, variant: entropy, l: 2, attribute: disease}
{model: l-diversity, variant: recursive, l: 2, c: 2, attribute: disease}
{model: t-closeness, variant: equal, t: 0.3, attribute: disease}
{model: t-closeness, variant: ordered, t: 0.2, attribute: stay}
{model: t-closeness, variant: hierarchical, t: 0.2, attribute: disease}
{model: delta-presence, min: 0.2, max: 0.5, subset: {column: enrolled, values: ['yes']}}
{model: alpha-k, alpha: 0.5, k: 3, attribute: disease}
{model: p-sensitive, p: 2, k: 3, attribute: disease}
{model: lkc, l: 1, k: 3, c: 0.5, attribute: disease, values: [flu]}
{model: dissimilarity, epsilon: 0.5, delta: 0.3, k: 3, attribute: disease}
{model: delta-disclosure, delta: 1, attribute: disease}
{model: beta-likeness, variant: basic, beta: 0.5, attribute: disease}
{model: beta-likeness, variant: enhanced, beta: 0.5, attribute: disease}
{model: m-invariance, m: 2, attribute: disease}
END
