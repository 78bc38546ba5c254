kith generate hospital -n 200 -o p.csv -q --seed 1
kith anonymize p.study.yaml -i p.csv -o r.csv --summary s.json -q --seed 1
echo mine > report.html
trap 'cat report.html' EXIT
kith report s.json -o report.html
