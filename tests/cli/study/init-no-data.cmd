kith study init nowhere.csv
