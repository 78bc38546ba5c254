mkdir old
touch old/release.csv
kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o old --sites 2
