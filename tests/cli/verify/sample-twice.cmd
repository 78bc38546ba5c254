kith generate hospital -n 300 -o p.csv --seed 1 >/dev/null
echo 'sample: 0.2' >>p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv --seed 1 -q
awk 'NR == 3 { print before; next } { before = $0; print }' r.csv >twice.csv
kith verify p.study.yaml twice.csv --data p.csv | grep -A1 cover
