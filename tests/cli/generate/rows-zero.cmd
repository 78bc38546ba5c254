trap 'ls -A' EXIT
kith generate hospital -n 0 -o x.csv
