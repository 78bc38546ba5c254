sed 's/^study:.*/&\npartition: vertical/' $FIXTURES/joint.yaml > vertical.yaml
trap 'ls -A' EXIT
kith simulate vertical.yaml -i $FIXTURES/joint.csv -o run --sites 4
