kith describe
kith describe nowhere.csv
printf 'a,b\n1\n' > d.csv
kith describe d.csv
printf 'study: a\n' > s.yaml
kith describe d.csv s.yaml
