kith hierarchy show --all $FIXTURES/hierarchy/city.csv
