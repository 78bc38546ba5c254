cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: note, role: insensitive}
privacy: [{model: alpha-k, k: 2, alpha: 0.5, attribute: ill}]
unit: pid
algorithm: sequential
END
kith study check s.yaml
