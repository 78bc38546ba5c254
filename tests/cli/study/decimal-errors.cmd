cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, decimal: comma}
  - {name: b, role: quasi-identifying, type: decimal, decimal: semicolon}
  - {name: c, role: quasi-identifying, type: date, decimal: comma}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml
