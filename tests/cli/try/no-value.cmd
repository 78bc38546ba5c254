kith try $FIXTURES/jobs/study.yaml -i d.csv --set k
