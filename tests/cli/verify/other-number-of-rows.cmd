kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/short.csv --data $FIXTURES/jobs/people.csv
