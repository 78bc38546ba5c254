kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/frequent.csv
