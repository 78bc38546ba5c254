sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: age,/{name: age, min_level: 3, max_level: 2,/; s/{name: disease,/{name: disease, max_level: 1,/; s/{name: zip,/{name: zip, min_level: -1,/" s.yaml
kith study check s.yaml
