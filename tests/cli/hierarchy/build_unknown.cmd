kith hierarchy build pyramid:3 -i $FIXTURES/hierarchy/people.csv --column age
