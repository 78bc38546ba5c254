kith hierarchy check --json $FIXTURES/hierarchy/wrong.csv
