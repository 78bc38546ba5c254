kith serve $FIXTURES/virtual.yaml --key n.key --rows north.csv
