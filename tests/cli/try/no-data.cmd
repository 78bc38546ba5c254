kith try $FIXTURES/jobs/study.yaml --set k=3
