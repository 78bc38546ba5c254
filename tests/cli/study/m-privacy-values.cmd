# values of m-privacy: the default with a model about values, taken back, and what has no effect
cp $FIXTURES/joint/a.csv .
for models in '{model: m-privacy, k: 3}' '{model: m-privacy, k: 3, values: 2}' '{model: m-privacy, k: 3, values: 0}' \
    '{model: m-privacy, k: 3, values: 1}' '{model: m-privacy, k: 0, values: 2}'; do
  (cat $FIXTURES/joint/rows.yaml; printf '  - {model: l-diversity, l: 2}\n  - %s\npartition: horizontal\n' "$models") > s.yaml
  echo "$models"
  kith study check s.yaml 2>&1 || true
done
(cat $FIXTURES/joint/rows.yaml; printf '  - {model: m-privacy, k: 3, values: 2}\npartition: horizontal\n') > s.yaml
kith study check s.yaml 2>&1 || true
(cat $FIXTURES/joint/rows.yaml; printf '  - {model: l-diversity, l: 2}\n  - {model: m-privacy, k: 3, values: 2}\nprotocol: clustering\nprivate_diversity: true\n') > s.yaml
kith study check s.yaml 2>&1
