kith try $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv --set k=98,99 | tr -s " "
