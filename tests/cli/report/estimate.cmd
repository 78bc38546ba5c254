kith generate hospital -n 300 -o p.csv -q --seed 1
kith estimate p.study.yaml -i p.csv --sites 2 --seed 1 --summary e.json -q
kith simulate p.study.yaml -i p.csv --sites 2 --seed 1 -o run -q
kith report run -o report.html --internal --estimate e.json -q
sed -n '/Estimate and actual/,/<\/table>/s/.*<th scope="row">\([^<]*\)<.*/\1/p' report.html
