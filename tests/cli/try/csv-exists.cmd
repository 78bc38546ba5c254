touch t.csv
kith try $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv --csv t.csv
