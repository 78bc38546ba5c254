sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: age,/{name: age, min_level: 1,/" s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv -q --seed 1
kith verify s.yaml r.csv
