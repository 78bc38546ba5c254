kith study check $FIXTURES/two-parties.yaml --as north
