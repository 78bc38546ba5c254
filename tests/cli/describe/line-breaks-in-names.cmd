# Names of columns do not tear the table.
printf '"zip\ncode","two\twords",age\n8010,a,20\n8011,b,21\n8010,c,22\n' > d.csv
kith describe d.csv
