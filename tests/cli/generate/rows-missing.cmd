kith generate hospital -o x.csv
