printf 'study: s\ncolumns: [{name: a, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\nqueries: {rows: true}\n' >s.yaml
kith study check s.yaml
