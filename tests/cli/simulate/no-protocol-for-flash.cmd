sed 's/^study:.*/&\nalgorithm: flash/' $FIXTURES/joint.yaml > flash.yaml
trap 'ls -A' EXIT
kith simulate flash.yaml -i $FIXTURES/joint.csv -o run --sites 2
