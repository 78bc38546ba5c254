kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv --sites 2
