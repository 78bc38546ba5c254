cp $FIXTURES/joint/a.csv .
(cat $FIXTURES/joint/rows.yaml; printf '  - {model: m-privacy, k: 1}\nprotocol: clustering\n') > s.yaml
kith study check s.yaml
