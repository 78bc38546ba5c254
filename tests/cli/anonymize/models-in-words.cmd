# What a release promises, in a sentence for every model and variant.
while read -r model; do
  sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
  printf '  - {%s}\n' "$model" >> s.yaml
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --seed 1 | sed -n '/^holds/,$p'
  rm r.csv r.csv.meta.json
done <<END
model: k-anonymity, k: 3
model: k-map, k: 4, population: $FIXTURES/models/population.csv
model: l-diversity, l: 2, attribute: disease
model: l-diversity, l: 3, attribute: disease
model: l-diversity, variant: distinct, l: 3, attribute: disease
model: l-diversity, variant: entropy, l: 2, attribute: disease
model: l-diversity, variant: recursive, l: 2, c: 2, attribute: disease
model: l-diversity, variant: recursive, l: 3, c: 1.5, attribute: disease
model: t-closeness, t: 0.3, attribute: disease
model: t-closeness, t: 0.1667, attribute: disease
model: t-closeness, variant: ordered, t: 0.2, attribute: stay
model: t-closeness, variant: hierarchical, t: 0.2, attribute: disease
model: delta-presence, min: 0.2, max: 0.5, subset: {column: enrolled, values: ['yes']}
model: alpha-k, alpha: 0.5, k: 3, attribute: disease
model: p-sensitive, p: 2, k: 3, attribute: disease
model: lkc, l: 1, k: 3, c: 0.5, attribute: disease, values: [flu, gout]
model: lkc, l: 2, k: 3, c: 0.5, attribute: disease
model: dissimilarity, epsilon: 0.5, delta: 0.3, k: 3, attribute: disease
model: dissimilarity, variant: equal, epsilon: 0, delta: 0.3, k: 3, attribute: disease
model: delta-disclosure, delta: 1.2, attribute: enrolled
model: beta-likeness, beta: 1, attribute: disease
model: beta-likeness, variant: enhanced, beta: 1, attribute: disease
END
