sed "s/^restarts.*/effort: [1]/; /^algorithm/d" $FIXTURES/jobs/study.yaml > study.yaml
kith anonymize study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
