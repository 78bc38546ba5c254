cp $FIXTURES/jobs/people.csv d.csv
trap 'cmp d.csv $FIXTURES/jobs/people.csv; ls' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i d.csv -o ./d.csv --force
