kith try $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv --set k=3,99 --seed 1 --json | grep -v \"seconds\"
