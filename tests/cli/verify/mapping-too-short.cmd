printf 'confidential_row,release_row\n1,9\n2,8\n3,7\n4,6\n5,5\n6,4\n7,3\n9,1\n' >m.csv
kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --data $FIXTURES/jobs/people.csv --mapping m.csv
