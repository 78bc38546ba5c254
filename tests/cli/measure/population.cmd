kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/release.csv --population 1000 --special-uniques 2 | sed -n '/^Population/,$p'
