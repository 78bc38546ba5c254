echo mine > x.study.yaml
trap 'ls -A' EXIT
kith generate hospital -n 10 -o x.csv
