kith hierarchy check $FIXTURES/hierarchy/empty.csv
