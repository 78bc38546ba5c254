kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --quiet --summary s.json
grep -E '"(command|study|seed|records)"' s.json
