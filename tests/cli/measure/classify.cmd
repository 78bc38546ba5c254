kith generate hospital -n 400 -o p.csv --seed 1 >/dev/null
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 1 --keep-order
kith measure p.study.yaml p.csv r.csv --classify disease --seed 3 | sed -n '/Predicting/,/always/p'
