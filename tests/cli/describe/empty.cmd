printf 'a,b\n' > d.csv
kith describe d.csv
