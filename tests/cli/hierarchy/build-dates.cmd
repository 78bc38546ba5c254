kith hierarchy build dates:month,quarter,year,decade -i $FIXTURES/hierarchy/people.csv --column born
