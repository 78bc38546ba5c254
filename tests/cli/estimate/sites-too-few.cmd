kith estimate s.yaml -i d.csv --sites 1
