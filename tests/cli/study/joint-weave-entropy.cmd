# Models that weave keeps by a stricter rule, with a warning for each.
cat > s.yaml <<'END_OF_STUDY'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: ill, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: entropy, l: 3, attribute: ill}
  - {model: l-diversity, variant: recursive, l: 3, c: 2, attribute: ill}
partition: horizontal
protocol: weave
END_OF_STUDY
kith study check s.yaml
