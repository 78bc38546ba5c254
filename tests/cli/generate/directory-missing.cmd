kith generate hospital -n 10 -o no/such/directory/x.csv
