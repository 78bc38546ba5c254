# pools is for trees of columns, warns of what it tells, and goes neither with name nor with models
cp $FIXTURES/joint/a.csv .
check() { (cat $FIXTURES/joint/rows.yaml; printf "$1") > s.yaml; kith study check s.yaml 2>&1 || true; }
check 'partition: vertical\nids: aligned\npools: true\n'
check 'partition: vertical\nids: aligned\npools: true\nname: true\n'
check '  - {model: l-diversity, variant: distinct, l: 2, attribute: d}\npartition: vertical\nids: aligned\npools: true\n'
check 'partition: horizontal\npools: true\n'
check 'partition: vertical\nids: aligned\nprotocol: clustering\npools: true\n'
