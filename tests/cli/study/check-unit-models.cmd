cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: note, role: insensitive}
privacy: [{model: lkc, l: 1, k: 2, c: 0.5, attribute: ill}, {model: m-invariance, m: 2, attribute: ill}]
unit: pid
END
kith study check s.yaml
