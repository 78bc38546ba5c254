cd $FIXTURES/jobs
kith study check - people.csv < study.yaml
