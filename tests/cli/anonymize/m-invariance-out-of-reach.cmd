# b has moved to another age: nobody keeps both diseases together but at the top.
cp $FIXTURES/series/* .
sed -i 's/mondrian/flash/' again.yaml
sed 's/b,21/b,61/; s/f,61,flu/f,20,cold/' second.csv > moved.csv
kith anonymize again.yaml -i moved.csv -o r3.csv
