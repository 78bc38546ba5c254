cp $FIXTURES/series/* .
kith anonymize again.yaml -i second.csv -o r2.csv --mapping m2.csv
