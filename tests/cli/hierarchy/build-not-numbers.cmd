kith hierarchy build intervals:5 -i $FIXTURES/hierarchy/people.csv --column name
