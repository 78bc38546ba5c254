kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv --seed 1 --shuffle --quiet
sort r.csv
kith verify $FIXTURES/jobs/study.yaml r.csv --data $FIXTURES/jobs/people.csv
