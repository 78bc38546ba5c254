printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying}\n  - {name: b, role: quasi-identifying}\nprivacy: [{model: k-anonymity, k: 2}]\npartition: hybrid\nids: aligned\n' >s.yaml
kith study check s.yaml
