mkdir r
trap 'ls r' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r
