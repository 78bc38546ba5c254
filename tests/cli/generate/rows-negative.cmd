kith generate hospital -n -5 -o x.csv
