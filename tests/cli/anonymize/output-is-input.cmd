cp $FIXTURES/jobs/people.csv d.csv
kith anonymize $FIXTURES/jobs/study.yaml -i d.csv -o ./d.csv --force
echo "exit $?"; cmp d.csv $FIXTURES/jobs/people.csv && ls
