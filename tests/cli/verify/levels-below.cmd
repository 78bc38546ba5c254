sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
cut -d, -f2- $FIXTURES/jobs/people.csv >r.csv
sed -i "s/{name: age,/{name: age, min_level: 1,/" s.yaml
kith verify s.yaml r.csv --data $FIXTURES/jobs/people.csv
