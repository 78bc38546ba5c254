kith serve $FIXTURES/virtual.yaml --as west --key n.key --rows north.csv
