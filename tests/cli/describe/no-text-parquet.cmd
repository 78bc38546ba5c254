printf 'PAR1\25\4\25' >x.csv
kith describe x.csv
