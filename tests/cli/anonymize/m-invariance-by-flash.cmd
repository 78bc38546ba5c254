# A search of the lattice need not fall back on the whole table.
cp $FIXTURES/series/* .
sed -i 's/mondrian/flash/' again.yaml
kith anonymize again.yaml -i second.csv -o r2.csv --mapping m2.csv --quiet
cat m2.csv
kith verify again.yaml r2.csv --data second.csv --quiet
