kith verify $FIXTURES/jobs/study.yaml nowhere.csv
