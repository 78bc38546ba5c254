kith generate survey -n 3 --seed 42 --json -o x.csv
