cat >s.yaml <<'E'
study: joint
columns:
  - {name: a, role: quasi-identifying, hierarchy: suppress, domain: {range: [0, 9]}, type: integer}
  - {name: s, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: frequency, l: 2, attribute: s}
partition: horizontal
protocol: clustering
finish: merge
withhold: 4
E
kith study check s.yaml
