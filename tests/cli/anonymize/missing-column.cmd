trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/no-zip.csv -o r.csv
