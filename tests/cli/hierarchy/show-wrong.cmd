kith hierarchy show $FIXTURES/hierarchy/wrong.csv
