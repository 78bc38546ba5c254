kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o /dev/null --quiet
test ! -e /dev/null.meta.json
