cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, top: 5}
  - {name: b, role: identifying, type: integer, round: 5}
  - {name: c, role: insensitive, type: integer, round: 0.5}
  - {name: d, role: insensitive, type: decimal, round: 0.3}
  - {name: e, role: insensitive, type: integer, top: 2.5}
  - {name: f, role: insensitive, type: integer, top: 5, bottom: 5}
  - {name: g, role: insensitive, pseudonym: k}
  - {name: h, role: identifying, type: integer, pseudonym: k}
  - {name: i, role: insensitive, type: decimal, decimal: comma, top: 5}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml
