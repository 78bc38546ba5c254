kith compare s.yaml -i d.csv --sites 1
