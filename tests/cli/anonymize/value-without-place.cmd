trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/file.yaml -i $FIXTURES/jobs/people.csv -o r.csv
