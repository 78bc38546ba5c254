printf 'age\n1\n2\n30\n' > d.csv
kith hierarchy build intervals:10 -i d.csv --column age --json
