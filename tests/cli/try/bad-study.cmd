kith try $FIXTURES/jobs/study.yaml $FIXTURES/jobs/bad.yaml -i d.csv
