printf 'pay\n1000000000000.5\n0.0625\n' >d.csv
printf 'study: s\ncolumns: [{name: pay, role: quasi-identifying, type: decimal, microaggregate: mean}]\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith study check s.yaml d.csv
