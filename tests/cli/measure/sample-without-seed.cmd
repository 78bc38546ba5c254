printf 'study: s\ncolumns: [{name: age, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\nsample: 0.5\n' >s.yaml
printf 'age\n1\n1\n1\n1\n' >d.csv
kith measure s.yaml d.csv d.csv
