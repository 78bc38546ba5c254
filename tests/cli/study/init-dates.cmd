cp $FIXTURES/dates.csv .
kith study init dates.csv -o s.yaml
sed '/^privacy/,$d' s.yaml
kith study check s.yaml dates.csv
