echo mine > x.csv
trap 'cat x.csv; ls' EXIT
kith generate hospital -n 10 -o x.csv
