awk 'BEGIN { print "age,height,city,country,admitted,code"; for (i = 0; i < 60; i++)
  printf "%d,%s,%s,%s,2024-%02d-%02d,%s\n", 20 + i % 30, i % 10 == 3 ? "NA" : 1.5 + i / 100, i % 3 ? "Lyon" : "Turin",
    i % 3 ? "F" : "I", 1 + i % 12, 1 + i % 28, i == 17 ? "x12" : i % 20 }' >d.csv
kith describe d.csv
