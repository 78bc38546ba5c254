printf 'study: a\n' > s.yaml
printf 'a,b\n1,2\n' > d.csv
kith describe d.csv s.yaml
