kith try $FIXTURES/jobs/study.yaml --set k=3,1 --save 2=x.yaml
