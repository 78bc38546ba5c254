# the attacker's table has other columns
printf 'a,b\nx,1\ny,2\nx,1\n' > one.csv
printf 'a\nx\ny\n' > two.csv
kith describe one.csv --known two.csv --no-progress
