printf 'study: s\ncolumns: [{name: age, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\nsample: 1\n' >s.yaml
kith study check s.yaml
