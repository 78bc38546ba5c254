cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, microaggregate: mean}
  - {name: s, role: sensitive}
privacy: [{model: t-closeness, t: 0.3}]
END
kith study check s.yaml
