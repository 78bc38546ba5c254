echo old > s.json
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --summary s.json
echo "exit $?"; ls
