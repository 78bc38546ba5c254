cp $FIXTURES/series/* .
printf 'age,disease\n20-29,flu\n20-29,cold\n60-69,gout\n60-69,flu\n' > good.csv
kith verify again.yaml good.csv --data second.csv
