printf 'study: s\ncolumns: [{name: age, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\nmemory: 500\n' >s.yaml
kith study check s.yaml
