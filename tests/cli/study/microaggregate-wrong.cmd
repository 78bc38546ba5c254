cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, microaggregate: mean}
  - {name: b, role: quasi-identifying, type: date, microaggregate: mean}
  - {name: c, role: sensitive, type: integer, microaggregate: mean}
  - {name: d, role: identifying, type: integer, microaggregate: mean}
  - {name: e, role: quasi-identifying, type: integer, microaggregate: median}
  - {name: f, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}, min_level: 1, microaggregate: mean}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml
