awk 'BEGIN { print "n,d,c"; for (i = 1; i <= 20; i++) printf "%d,2024-01-%02d,%s\n", i * i, 21 - i, i > 18 ? "?" : i % 2 }' >d.csv
kith describe d.csv --json
