kith study check --json $FIXTURES/study/cardio.yaml $FIXTURES/study/cardio.csv
