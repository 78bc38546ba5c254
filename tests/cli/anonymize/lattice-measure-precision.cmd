sed "s/suppression: 0.15/suppression: 0.15, measure: precision/" $FIXTURES/jobs/suppression.yaml > s.yaml
echo "algorithm: flash" >>s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv --force --json | grep '"algorithm"\|"objective"\|"suppressed"'
