kith hierarchy check $FIXTURES/hierarchy/age.csv $FIXTURES/hierarchy/people.csv
