kith compare s.yaml -i d.csv --sites 3 --delay soon
