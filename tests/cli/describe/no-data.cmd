kith describe nowhere.csv
