kith anonymize $FIXTURES/jobs/ranges.yaml -i $FIXTURES/jobs/people.csv -o r.csv --quiet; cat r.csv
kith verify $FIXTURES/jobs/ranges.yaml r.csv --data $FIXTURES/jobs/people.csv
