trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/bad.yaml -i $FIXTURES/jobs/people.csv -o r.csv
