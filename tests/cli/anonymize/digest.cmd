kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv -q
digest=$(kith study digest $FIXTURES/jobs/study.yaml | grep -oE "[0-9a-f]{64}")
grep -c "\"digest\":.*\"$digest\"" r.csv.meta.json
