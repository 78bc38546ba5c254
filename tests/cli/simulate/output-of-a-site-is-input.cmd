mkdir -p again/site1
cp $FIXTURES/joint.csv again/site1/release.csv
trap 'cmp $FIXTURES/joint.csv again/site1/release.csv' EXIT
kith simulate $FIXTURES/joint.yaml -i again/site1/release.csv -o again --sites 2 --force
