sed 's/^study:.*/&\npartition: hybrid/' $FIXTURES/joint.yaml > hybrid.yaml
trap 'ls -A' EXIT
kith simulate hybrid.yaml -i $FIXTURES/joint.csv -o run --sites 3
