kith generate hopsital -n 10 -o x.csv
