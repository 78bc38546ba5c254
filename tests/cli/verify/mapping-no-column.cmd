printf 'confidential_row,age\n1,21\n' >m.csv
kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --data $FIXTURES/jobs/people.csv --mapping m.csv
