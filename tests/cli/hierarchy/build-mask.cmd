kith hierarchy build mask:right -i $FIXTURES/hierarchy/people.csv --column zip
