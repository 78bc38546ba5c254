kith verify $FIXTURES/jobs/suppression.yaml $FIXTURES/jobs/suppressed.csv --data $FIXTURES/jobs/people.csv
