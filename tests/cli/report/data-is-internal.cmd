kith generate hospital -n 200 -o p.csv -q --seed 1
kith anonymize p.study.yaml -i p.csv -o r.csv --summary s.json -q --seed 1
trap 'ls -A' EXIT
kith report s.json --release r.csv --study p.study.yaml --data p.csv -o report.html
