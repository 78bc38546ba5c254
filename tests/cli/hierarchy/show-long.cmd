kith hierarchy show $FIXTURES/hierarchy/city.csv
