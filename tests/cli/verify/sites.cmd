kith verify $FIXTURES/joint/sites.yaml $FIXTURES/joint/sites.csv
