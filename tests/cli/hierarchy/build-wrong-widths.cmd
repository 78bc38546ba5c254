kith hierarchy build intervals:5,12,0 -i $FIXTURES/hierarchy/people.csv --column age
