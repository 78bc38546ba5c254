kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --data $FIXTURES/jobs/people.csv
