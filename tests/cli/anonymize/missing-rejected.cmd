trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/reject.yaml -i $FIXTURES/jobs/gaps.csv -o r.csv
