echo mine > r.csv
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --force --quiet
head -n 1 r.csv
ls
