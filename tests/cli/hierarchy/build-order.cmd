kith hierarchy build order:2 -i $FIXTURES/hierarchy/people.csv --column name
