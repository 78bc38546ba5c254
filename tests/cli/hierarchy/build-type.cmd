kith hierarchy build suppress -i $FIXTURES/hierarchy/people.csv --column age --type number
