kith generate hospital -n 200 -o p.csv -q --seed 1
kith compare p.study.yaml -i p.csv --sites 2 --report r.html
