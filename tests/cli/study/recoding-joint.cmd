printf 'study: s\ncolumns:\n  - {name: id, role: identifying, pseudonym: id.key}\n  - {name: age, role: quasi-identifying, type: integer, top: 90, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\nprivacy: [{model: k-anonymity, k: 2}]\nprotocol: weave\n' >s.yaml
kith study check s.yaml
