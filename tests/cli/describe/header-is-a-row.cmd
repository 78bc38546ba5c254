printf '34,m\n35,f\n36,m\n' >d.csv
kith describe d.csv | head -n 4
