kith generate hospital -n 200 -o p.csv -q --seed 1
kith anonymize p.study.yaml -i p.csv -o r.csv --internal
