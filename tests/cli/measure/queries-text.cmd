kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/release.csv --queries 1000 --seed 1 | grep -i queries
