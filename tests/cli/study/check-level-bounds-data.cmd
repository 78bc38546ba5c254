sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: age,/{name: age, max_level: 4,/; s/{name: zip,/{name: zip, min_level: 6,/" s.yaml
kith study check s.yaml $FIXTURES/jobs/people.csv
