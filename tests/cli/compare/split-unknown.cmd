kith compare $FIXTURES/joint/ages.yaml -i $FIXTURES/joint/ages.csv --sites 3 --split up
