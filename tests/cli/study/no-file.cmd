kith study check nowhere.yaml
