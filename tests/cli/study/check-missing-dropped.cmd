sed 's/reject/drop/' $FIXTURES/study/missing.yaml > t.yaml
printf 'age,sex\n30,m\n?,f\n31,?\n32,?\n' > d.csv
kith study check t.yaml d.csv
