cp $FIXTURES/series/* .
printf 'age,disease\n*,flu\n*,cold\n*,gout\n60-69,flu\n' > bad.csv
kith verify again.yaml bad.csv
