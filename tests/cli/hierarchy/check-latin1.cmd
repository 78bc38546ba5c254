kith hierarchy check $FIXTURES/hierarchy/latin1.csv
