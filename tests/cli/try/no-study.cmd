kith try -i d.csv
