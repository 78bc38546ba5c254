trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i nowhere.csv -o r.csv
