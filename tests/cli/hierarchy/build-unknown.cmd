printf 'zip\n123\n' > d.csv
kith hierarchy build masks -i d.csv --column zip
