kith try $FIXTURES/jobs/study.yaml $FIXTURES/jobs/study.yaml -i d.csv
