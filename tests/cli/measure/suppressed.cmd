kith measure $FIXTURES/jobs/suppression.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/suppressed.csv
