kith hierarchy build mask:left:# -i $FIXTURES/hierarchy/people.csv --column zip
