kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/release.csv --data $FIXTURES/jobs/people.csv
