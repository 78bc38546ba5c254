trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/large-k.yaml -i $FIXTURES/jobs/people.csv -o r.csv
