mkdir r; kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r; echo "exit $?"; ls r
