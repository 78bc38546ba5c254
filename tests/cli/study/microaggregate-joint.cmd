cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}, microaggregate: mean}
privacy: [{model: k-anonymity, k: 2}]
protocol: weave
END
kith study check s.yaml
