kith anonymize $FIXTURES/jobs/drop.yaml -i $FIXTURES/jobs/gaps.csv -o r.csv --seed 1; cat r.csv
kith verify $FIXTURES/jobs/drop.yaml r.csv --data $FIXTURES/jobs/gaps.csv -q
