printf 'age,sex\n30,m\n?,f\n31,?\n32,?\n' > d.csv
kith study check $FIXTURES/study/missing.yaml d.csv
