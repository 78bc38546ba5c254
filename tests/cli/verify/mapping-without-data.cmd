kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --mapping m.csv
