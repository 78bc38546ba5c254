kith try $FIXTURES/jobs/study.yaml -i d.csv --set columns=1
