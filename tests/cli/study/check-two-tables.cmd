# one without records, one that is not there
sed 's/reject/drop/' $FIXTURES/study/missing.yaml > t.yaml
printf 'age,sex\n' > f.csv
kith study check t.yaml f.csv nowhere.csv
