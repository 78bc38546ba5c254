echo mine > hierarchies
trap ls EXIT
kith generate hospital -n 10 -o x.csv
