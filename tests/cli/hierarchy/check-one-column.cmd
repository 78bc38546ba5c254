kith hierarchy check $FIXTURES/hierarchy/one_column.csv
