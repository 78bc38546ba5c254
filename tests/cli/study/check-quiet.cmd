kith study check --quiet $FIXTURES/study/cardio.yaml $FIXTURES/study/cardio.csv
