sed 's/,/:/g' $FIXTURES/jobs/people.csv >people.csv
kith measure $FIXTURES/jobs/study.yaml people.csv $FIXTURES/jobs/release.csv --separator , --data-separator : | sed -n 1,6p
