# Every class has m diseases, but b is in a class with others than before.
cp $FIXTURES/series/* .
printf 'age,disease\n0-39,flu\n40-79,cold\n40-79,gout\n0-39,cold\n' > swapped.csv
sed 's/b,21/b,61/; s/f,61,flu/f,20,cold/' second.csv > moved.csv
kith verify again.yaml swapped.csv --data moved.csv
