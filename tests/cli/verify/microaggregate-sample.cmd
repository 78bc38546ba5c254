printf 'age\n20\n22\n28\n30\n31\n38\n40\n45\n' >d.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying, type: integer, microaggregate: mean}]\nprivacy: [{model: k-anonymity, k: 2}]\nsample: 0.5\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 -q
kith verify s.yaml r.csv --data d.csv
printf 'age\n42.51\n42.51\n20\n20\n' >f.csv
kith verify s.yaml f.csv --data d.csv
