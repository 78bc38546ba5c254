kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/false-shuffled.csv --data $FIXTURES/jobs/people.csv
