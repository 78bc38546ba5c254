trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --sites 2 --delay soon
