echo mine > r.csv.meta.json
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
echo "exit $?"; ls
