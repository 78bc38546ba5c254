kith hierarchy build dates:week,month -i $FIXTURES/hierarchy/people.csv --column born
