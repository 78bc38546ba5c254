kith generate hospital -n many -o x.csv
