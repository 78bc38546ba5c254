trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i missing.csv -o run --sites 2
