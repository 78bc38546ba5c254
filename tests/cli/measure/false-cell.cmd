kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/false.csv | tail -n 3
