kith simulate $FIXTURES/joint.yaml -o run --sites 2
