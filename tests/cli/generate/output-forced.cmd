echo mine > x.csv
kith generate hospital -n 10 --seed 1 -q --force -o x.csv
wc -l < x.csv
ls
