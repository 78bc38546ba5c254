trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/large-l.yaml -i $FIXTURES/jobs/people.csv -o r.csv
