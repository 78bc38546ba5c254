kith hierarchy check nowhere.csv
