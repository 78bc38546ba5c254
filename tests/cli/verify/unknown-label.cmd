kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/strange.csv --data $FIXTURES/jobs/people.csv
