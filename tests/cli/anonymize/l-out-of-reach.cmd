# the reachable l is told
sed 's/l: 2/l: 20/' $FIXTURES/jobs/study.yaml > t.yaml
trap 'ls -A' EXIT
kith anonymize t.yaml -i $FIXTURES/jobs/people.csv -o r.csv
