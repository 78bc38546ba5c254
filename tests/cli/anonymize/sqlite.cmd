kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o 'sqlite:r.db?table=t' --seed 1
kith verify $FIXTURES/jobs/study.yaml 'sqlite:r.db?table=t' --data $FIXTURES/jobs/people.csv
