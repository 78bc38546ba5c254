kith try $FIXTURES/jobs/study.yaml -i d.csv --set utility.supression=0.1
