sed 's/l: 2/l: 4/; s/0.15/0.5/' $FIXTURES/jobs/suppression.yaml > s.yaml
echo "algorithm: flash" >>s.yaml
trap 'ls -A' EXIT
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv
