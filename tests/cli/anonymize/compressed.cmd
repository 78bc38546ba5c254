gzip -c $FIXTURES/jobs/people.csv > d.csv.gz
kith anonymize $FIXTURES/jobs/study.yaml -i d.csv.gz -o r.csv --seed 1 -q
wc -l < r.csv
