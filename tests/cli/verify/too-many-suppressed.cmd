kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/suppressed.csv
