kith serve $FIXTURES/virtual.yaml --as north --rows north.csv
