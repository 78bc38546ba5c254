kith anonymize $FIXTURES/jobs/study.yaml -i - -o - --seed 1 --no-progress < $FIXTURES/jobs/people.csv
