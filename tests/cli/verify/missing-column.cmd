kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/narrow.csv
