sed "s/suppression: 0.15/suppression: 0.15, measure: arx-loss/" $FIXTURES/jobs/suppression.yaml > s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv --force --json | grep '"algorithm"\|"objective"\|"suppressed"'
