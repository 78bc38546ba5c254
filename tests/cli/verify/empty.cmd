kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/empty.csv
