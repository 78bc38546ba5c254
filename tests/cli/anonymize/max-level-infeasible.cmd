sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: zip,/{name: zip, max_level: 0,/" s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv
