kith verify nowhere.yaml $FIXTURES/jobs/release.csv
