kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/extra.csv
