kith anonymize $FIXTURES/jobs/study.yaml -o r.csv
