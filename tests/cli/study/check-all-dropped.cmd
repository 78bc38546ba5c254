sed 's/reject/drop/' $FIXTURES/study/missing.yaml > t.yaml
printf 'age,sex\n?,m\n' > e.csv
kith study check t.yaml e.csv
