# Every model and variant, with the algorithms that serve it.
make() { sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml; echo "  - $1" >> s.yaml; echo "algorithm: $2" >> s.yaml; }
try() {
  for algorithm in weave sequential mondrian agglomerative; do
    make "$1" $algorithm
    kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet || continue
    kith verify s.yaml r.csv --data $FIXTURES/models/people.csv --quiet; echo "$algorithm: verify $?"
  done 2>&1 | sort -u
}
while read -r model; do echo "$model"; try "$model"; done <<END
{model: k-anonymity, k: 3}
{model: k-map, k: 4, population: $FIXTURES/models/population.csv}
{model: l-diversity, variant: frequency, l: 2, attribute: disease}
{model: l-diversity, variant: distinct, l: 3, attribute: disease}
{model: l-diversity, variant: entropy, l: 2, attribute: disease}
{model: l-diversity, variant: recursive, l: 2, c: 2, attribute: disease}
{model: t-closeness, variant: equal, t: 0.3, attribute: disease}
{model: t-closeness, variant: ordered, t: 0.2, attribute: stay}
{model: t-closeness, variant: hierarchical, t: 0.2, attribute: disease}
{model: delta-presence, min: 0.2, max: 0.5, subset: {column: enrolled, values: ['yes']}}
{model: alpha-k, alpha: 0.5, k: 3, attribute: disease}
{model: p-sensitive, p: 2, k: 3, attribute: disease}
{model: lkc, l: 1, k: 3, c: 0.5, attribute: disease, values: [flu, gout]}
{model: delta-disclosure, delta: 1.2, attribute: enrolled}
{model: beta-likeness, variant: basic, beta: 1, attribute: disease}
{model: beta-likeness, variant: enhanced, beta: 1, attribute: disease}
END
