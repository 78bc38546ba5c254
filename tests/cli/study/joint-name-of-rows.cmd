cp $FIXTURES/joint/a.csv .
(cat $FIXTURES/joint/rows.yaml; printf 'partition: horizontal\nname: true\n') > rows.yaml
kith study check rows.yaml
