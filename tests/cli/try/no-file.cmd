kith try $FIXTURES/jobs/study.yaml -i none.csv
