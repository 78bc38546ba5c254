kith estimate s.yaml -i d.csv --sites 3 --latency soon --megabits 10
