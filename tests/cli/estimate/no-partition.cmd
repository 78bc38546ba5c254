# As for simulate: how the table is split follows from the options.
kith generate hospital -n 400 --seed 1 -o p.csv -q
grep -v partition p.study.yaml > s.yaml
kith estimate s.yaml -i p.csv --sites 3 --seed 1 --no-progress | head -n 2
