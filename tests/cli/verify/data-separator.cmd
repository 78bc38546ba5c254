sed 's/,/:/g' $FIXTURES/jobs/people.csv >people.csv
kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/release.csv --separator , --data people.csv --data-separator :
