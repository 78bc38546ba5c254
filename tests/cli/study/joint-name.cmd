# name is for trees of columns, and not with models on sensitive values
cp $FIXTURES/joint/a.csv .
(cat $FIXTURES/joint/rows.yaml; printf '  - {model: l-diversity, variant: distinct, l: 2, attribute: d}\npartition: vertical\nids: aligned\nname: true\n') > models.yaml
kith study check models.yaml
