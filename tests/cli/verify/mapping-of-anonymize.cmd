kith generate hospital -n 400 -o p.csv -q --seed 1
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7 --mapping m.csv
kith verify p.study.yaml r.csv --data p.csv --mapping m.csv
