kith generate hospital -n 99999999999999 -o x.csv
