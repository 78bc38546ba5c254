# one record of ten may be suppressed: the one that is like nobody else's; the summary tells levels
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: flash") >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --summary s.json --quiet
cat r.csv
grep -A 4 '"levels"\|"suppressed"\|"algorithm"' s.json
kith verify s.yaml r.csv --data d.csv
