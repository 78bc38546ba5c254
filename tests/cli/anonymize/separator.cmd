tr , ';' < $FIXTURES/jobs/people.csv > d.csv
kith anonymize $FIXTURES/jobs/study.yaml -i d.csv -o r.csv --quiet
head -n 1 r.csv
