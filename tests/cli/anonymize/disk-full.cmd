kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o - --quiet > /dev/full
