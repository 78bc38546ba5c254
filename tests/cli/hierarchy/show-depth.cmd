kith hierarchy show --depth 1 $FIXTURES/hierarchy/age.csv
