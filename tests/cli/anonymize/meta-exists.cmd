echo mine > r.csv.meta.json
trap ls EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
