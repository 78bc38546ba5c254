sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: zip,/{name: zip, min_level: 5,/" s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv -q --seed 1
sed -i "s/min_level: 5/max_level: 4/" s.yaml
kith verify s.yaml r.csv --data $FIXTURES/jobs/people.csv --json
