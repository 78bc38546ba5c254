kith try $FIXTURES/jobs/study.yaml -i d.csv --set algoritm=weave
