cp $FIXTURES/series/* .
printf 'age,disease\n60-69,flu\n60-69,gout\n20-29,cold\n20-29,flu\n' >r.csv
printf 'confidential_row,release_row\n1,4\n2,3\n3,2\n4,1\n' >m.csv
kith verify again.yaml r.csv --data second.csv | sed -n '/not checked/,$p'
kith verify again.yaml r.csv --data second.csv --mapping m.csv
