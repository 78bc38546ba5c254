kith study check $FIXTURES/study/cardio.yaml $FIXTURES/study/cardio.csv
