cat >s.yaml <<'E'
study: joint
columns:
  - {name: a, role: quasi-identifying, hierarchy: suppress, domain: {range: [0, 9]}, type: integer}
  - {name: s, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
partition: horizontal
protocol: clustering
withhold: 1
E
kith study check s.yaml
