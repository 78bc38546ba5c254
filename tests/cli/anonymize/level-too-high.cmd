sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
echo "levels: {age: 9}" >>s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv
