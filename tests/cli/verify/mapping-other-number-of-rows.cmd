head -n 9 $FIXTURES/jobs/shuffled.csv >r.csv
printf 'confidential_row,release_row\n' >m.csv
kith verify $FIXTURES/jobs/study.yaml r.csv --data $FIXTURES/jobs/people.csv --mapping m.csv
