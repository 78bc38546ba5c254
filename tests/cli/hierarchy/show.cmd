kith hierarchy show $FIXTURES/hierarchy/age.csv
