printf 'a,b;c\n1;2\n' >d.csv
kith describe d.csv --separator ,
