sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: age,/{name: age, max_level: 2,/" s.yaml
echo "missing: wildcard" >>s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/gaps.csv -o r.csv
