trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --split by:ward --sites 4
