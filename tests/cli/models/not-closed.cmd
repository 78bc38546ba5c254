# Models that unions of classes may break: sequential clustering refuses them.
for model in "{model: dissimilarity, epsilon: 0.5, delta: 0.3, k: 3, attribute: disease}" "{model: m-invariance, m: 2, attribute: disease}"; do
  for algorithm in weave sequential mondrian agglomerative hilbert; do
    sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml; echo "  - $model" >> s.yaml; echo "algorithm: $algorithm" >> s.yaml
    echo "$algorithm"
    kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --force --seed 1 --quiet && kith verify s.yaml r.csv --quiet && echo holds
  done
done 2>&1
