kith generate hospital -n 100 -o p.csv --seed 1 -q
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: insensitive}
  - {name: name, role: insensitive}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 50]}}
  - {name: stay, role: insensitive}
privacy: [{model: k-anonymity, k: 5}]
END
kith study check s.yaml p.csv
