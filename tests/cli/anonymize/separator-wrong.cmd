tr , ';' < $FIXTURES/jobs/people.csv > d.csv
trap 'ls -A' EXIT
kith anonymize $FIXTURES/jobs/study.yaml -i d.csv -o r2.csv --separator ,
