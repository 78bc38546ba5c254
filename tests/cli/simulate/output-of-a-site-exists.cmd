mkdir -p folder/site2
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o folder --sites 2
