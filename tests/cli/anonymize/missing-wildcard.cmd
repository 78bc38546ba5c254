kith anonymize $FIXTURES/jobs/wildcard.yaml -i $FIXTURES/jobs/gaps.csv -o r.csv --seed 1 -q; cat r.csv
kith verify $FIXTURES/jobs/wildcard.yaml r.csv --data $FIXTURES/jobs/gaps.csv -q
