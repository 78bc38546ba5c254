kith generate hospital -n 300 -o p.csv -q --seed 1
kith simulate p.study.yaml -i p.csv --sites 2 --seed 1 -o run -q
kith report run -o report.html --internal --estimate run/summary.json
