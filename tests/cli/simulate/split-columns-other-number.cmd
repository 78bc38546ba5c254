trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --split columns:age,zip/sex,disease --sites 3
