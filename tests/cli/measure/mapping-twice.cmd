printf 'confidential_row,release_row\n1,9\n2,8\n3,7\n4,6\n5,5\n6,4\n7,3\n8,2\n8,1\n' >m.csv
kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv $FIXTURES/jobs/shuffled.csv --mapping m.csv
