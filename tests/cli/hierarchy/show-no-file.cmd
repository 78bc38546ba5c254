kith hierarchy show nowhere.csv
