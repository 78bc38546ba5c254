echo mine > r.csv
trap 'cat r.csv; ls' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
