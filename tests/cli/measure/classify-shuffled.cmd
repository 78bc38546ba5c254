kith generate hospital -n 400 -o p.csv --seed 1 >/dev/null
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 1
{ head -n 1 r.csv; tail -n +2 r.csv | sort; } >s.csv
kith measure p.study.yaml p.csv s.csv --classify disease --seed 3 | grep -A1 'not in the order'
