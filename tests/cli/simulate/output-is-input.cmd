mkdir again
cp $FIXTURES/joint.csv again/release.csv
trap 'cmp $FIXTURES/joint.csv again/release.csv' EXIT
kith simulate $FIXTURES/joint.yaml -i again/release.csv -o again --sites 2 --force
