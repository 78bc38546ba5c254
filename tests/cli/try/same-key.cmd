kith try $FIXTURES/jobs/study.yaml -i d.csv --set k=2 --set privacy.0.k=3
