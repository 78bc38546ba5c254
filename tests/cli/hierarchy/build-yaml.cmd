kith hierarchy build '{intervals: [5, 10], origin: 3}' -i $FIXTURES/hierarchy/people.csv --column age
