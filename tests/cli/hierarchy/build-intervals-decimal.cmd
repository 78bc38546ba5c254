kith hierarchy build intervals:2.5,10 -i $FIXTURES/hierarchy/people.csv --column income
