kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/gaps.csv -o r.csv --seed 1 -q; cat r.csv
kith verify $FIXTURES/jobs/study.yaml r.csv --data $FIXTURES/jobs/gaps.csv -q
