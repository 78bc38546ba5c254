sed 's/^study:.*/&\npartition: horizontal\nprotocol: encrypted-view\nmaster: site4/' $FIXTURES/joint.yaml > master.yaml
kith simulate master.yaml -i $FIXTURES/joint.csv -o run --sites 2
