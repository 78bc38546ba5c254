kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/small-class.csv --quiet
