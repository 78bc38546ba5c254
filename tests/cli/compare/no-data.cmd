kith compare $FIXTURES/joint/ages.yaml -i d.csv --sites 3
