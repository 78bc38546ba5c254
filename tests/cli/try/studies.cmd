cd $FIXTURES/jobs
kith try study.yaml wildcard.yaml -i people.csv --seed 1 | tr -s " "
