echo mine > r.csv
kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
echo "exit $?"; cat r.csv; ls
