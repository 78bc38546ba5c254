kith generate hospital -n 400 -o p.csv -q --seed 1
sed -i '1i sample: 0.5' p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7
kith measure p.study.yaml p.csv r.csv --seed 8
