touch file
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o file --sites 2
