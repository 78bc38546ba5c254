kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/shuffled.csv --weights age | sed -n '/^Population/,$p'
