kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/shuffled.csv | head -n 12
