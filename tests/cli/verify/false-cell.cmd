kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/false.csv --data $FIXTURES/jobs/people.csv
