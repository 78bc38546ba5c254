sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
sed -i "s/{name: age,/{name: age, max_level: 2,/" s.yaml
echo "levels: {age: 1}" >>s.yaml
kith study check s.yaml
