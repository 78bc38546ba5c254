kith try $FIXTURES/jobs/file.yaml --set k=3,4 --save 1=x.yaml
