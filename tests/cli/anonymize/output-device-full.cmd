trap 'test ! -e /dev/full.meta.json' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o /dev/full --quiet
