trap 'ls -A' EXIT
kith simulate missing.yaml -i $FIXTURES/joint.csv -o run --sites 2
