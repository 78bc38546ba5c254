awk 'BEGIN { print "confidential_row,release_row"; for (i = 1; i <= 9; i++) print i "," 10 - i }' >m.csv
kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --data $FIXTURES/jobs/people.csv --mapping m.csv
