kith generate hospital adult -n 10 -o x.csv
