(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > p.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: top-down") > t.yaml
kith anonymize t.yaml -i p.csv -o r.csv --force --quiet
cat r.csv
kith verify t.yaml r.csv --data p.csv --quiet
