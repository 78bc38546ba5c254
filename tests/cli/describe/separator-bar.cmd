printf 'a|b\n1|2\n3|4\n' >d.csv
kith describe d.csv
