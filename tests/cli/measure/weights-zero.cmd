{ sed '1s/$/,w/; 2,4s/$/,2.5/; 5,$s/$/,0/' $FIXTURES/jobs/people.csv; } >d.csv
kith measure $FIXTURES/jobs/study.yaml d.csv $FIXTURES/jobs/release.csv --weights w
