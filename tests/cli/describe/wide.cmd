awk 'BEGIN { for (j = 1; j <= 70; j++) printf "%squestion%d", (j > 1 ? "," : ""), j; print ""
  for (i = 0; i < 40; i++) { for (j = 1; j <= 70; j++) printf "%s%d", (j > 1 ? "," : ""), j < 4 ? i % 5 : i * i * j * 7919 % 104729 % (2 + j % 7); print "" } }' >wide.csv
kith describe wide.csv | sed '4,72d'
