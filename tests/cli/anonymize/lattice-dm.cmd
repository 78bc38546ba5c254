# the sum of squared class sizes is told as such: it is never 0
sed "s/suppression: 0.15/measure: dm/" $FIXTURES/jobs/suppression.yaml > s.yaml
kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv
