printf '34,m\n35,f\n36,m\n' >d.csv
kith study init d.csv -o s.yaml -q
head -n 5 s.yaml
