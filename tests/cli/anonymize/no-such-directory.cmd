kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o no/where/r.csv; echo "exit $?"; ls
