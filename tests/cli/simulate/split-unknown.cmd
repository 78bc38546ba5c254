trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --split cells --sites 2
