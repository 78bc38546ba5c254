printf 'a"ge\n1\nx\n' > d.csv
kith hierarchy build intervals:10 -i d.csv --column 'a"ge' --type integer -o h.csv --json
