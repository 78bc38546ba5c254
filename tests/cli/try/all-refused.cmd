kith try $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv --set k=0,1 | tr -s " "
