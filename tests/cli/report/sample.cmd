# Only the seed of the run tells which records a sample has: the second run had none.
kith generate hospital -n 400 -o p.csv -q --seed 1
sed -i '1i sample: 0.5' p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7 --summary s.json
kith report s.json --release r.csv --study p.study.yaml --data p.csv --internal -o a.html -q
kith anonymize p.study.yaml -i p.csv -o r2.csv -q --report b.html --internal
grep -c 'Columns before and after' a.html b.html
