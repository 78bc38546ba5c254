kith hierarchy check $FIXTURES/hierarchy/wrong.csv
