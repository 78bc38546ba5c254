kith try $FIXTURES/jobs/study.yaml -i d.csv --set columns.agr.type=string
