kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/shuffled.csv --all | sed -n 1,19p
