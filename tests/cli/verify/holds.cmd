kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/release.csv
