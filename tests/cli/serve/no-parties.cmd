kith serve $FIXTURES/study/block.yaml --as north --key n.key --rows north.csv
