kith compare $FIXTURES/joint.yaml -i few.csv
