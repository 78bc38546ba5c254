kith hierarchy build suppress -i $FIXTURES/hierarchy/people.csv --column name
