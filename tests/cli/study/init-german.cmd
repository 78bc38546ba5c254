awk 'BEGIN { print "Fallnummer;Größe;Lohn;geboren;Eintritt"; for (i = 0; i < 40; i++)
  printf "%d;%s;%d.%03d,50;%02d.%02d.%02d;%s\n", 7001 + i, i % 9 == 4 ? "k.A." : "1," 50 + i, 1 + i % 4, i * 23 % 1000,
    1 + i % 28, 1 + i % 12, 70 + i % 20, i == 7 ? "früher" : i == 9 ? "2O19" : 1980 + i % 40 }' >personal.csv
kith study init personal.csv -o s.yaml
sed '/^privacy/,/^# algorithm/d' s.yaml
kith study check --quiet s.yaml personal.csv
kith anonymize s.yaml -i personal.csv -o r.csv -q --seed 1
head -n 3 r.csv
