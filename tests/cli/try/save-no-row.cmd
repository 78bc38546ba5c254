kith try $FIXTURES/jobs/study.yaml --set k=3,4 --save 3=x.yaml
