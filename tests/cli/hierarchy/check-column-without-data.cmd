kith hierarchy check $FIXTURES/hierarchy/age.csv --column age
