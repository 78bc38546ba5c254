kith study check
