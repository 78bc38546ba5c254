# the other reading of the column that could be read both ways fits as well
cp $FIXTURES/dates.csv .
kith study init dates.csv -o s.yaml --quiet
sed '/name: visited/,/hierarchy/s|format: "%d/%m/%Y"|format: "%m/%d/%Y"|' s.yaml > t.yaml
kith study check --quiet t.yaml dates.csv
