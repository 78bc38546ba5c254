sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
echo "levels: {age: 2, zip: 3}" >>s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv -q
kith verify s.yaml r.csv --data $FIXTURES/jobs/people.csv
cat r.csv
