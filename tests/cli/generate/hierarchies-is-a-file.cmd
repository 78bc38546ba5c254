echo mine > hierarchies
trap 'ls -A' EXIT
kith generate hospital -n 10 -o x.csv
