kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv
