kith serve $FIXTURES/virtual.yaml --as north --key n.key
