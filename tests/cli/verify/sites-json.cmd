kith verify $FIXTURES/joint/sites.yaml $FIXTURES/joint/sites.csv --json | grep -A3 not_checked
