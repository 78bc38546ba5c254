printf "a;*\nb;*\na;*\n" > h.csv
kith hierarchy check h.csv
