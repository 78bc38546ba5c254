kith hierarchy show --json $FIXTURES/hierarchy/age.csv
