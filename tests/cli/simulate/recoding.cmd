printf 'study: s\ncolumns:\n  - {name: age, role: quasi-identifying, type: integer, top: 90}\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
printf 'age\n1\n2\n3\n4\n' >d.csv
kith simulate s.yaml -i d.csv --sites 2 -o w
