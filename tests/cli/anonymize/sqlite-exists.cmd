kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o 'sqlite:r.db?table=t' --seed 1 --quiet
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o 'sqlite:r.db?table=t'
