kith measure $FIXTURES/jobs/study.yaml nowhere.csv $FIXTURES/jobs/release.csv
