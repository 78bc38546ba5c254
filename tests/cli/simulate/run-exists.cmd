kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --quiet
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --sites 2 --in-process
