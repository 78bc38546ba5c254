kith generate hospital -n 200 -o p.csv -q --seed 1
kith try p.study.yaml -i p.csv --set k=2,3 --summary s.json -q --seed 1
kith report s.json -o report.html
