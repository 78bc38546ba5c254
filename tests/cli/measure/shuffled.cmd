kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/shuffled.csv | sed -n 1,12p
