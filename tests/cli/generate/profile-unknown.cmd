kith generate weather -n 10 -o x.csv
