cp $FIXTURES/dates.csv .
kith study init dates.csv -o s.yaml --quiet
kith anonymize --quiet s.yaml -i dates.csv -o release.csv
kith verify --quiet s.yaml release.csv
