kith hierarchy check --quiet $FIXTURES/hierarchy/age.csv
