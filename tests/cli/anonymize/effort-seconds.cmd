sed "s/^restarts.*/effort: 0.05/; /^algorithm/d" $FIXTURES/jobs/study.yaml > study.yaml
kith anonymize study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --force --seed 1 --quiet
kith verify study.yaml r.csv --data $FIXTURES/jobs/people.csv | tail -n 1
