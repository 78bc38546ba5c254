# alpha-k and p-sensitive are kept by the joint tree; with quiet: true only the second.
cat > s.yaml <<'END_OF_STUDY'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: ill, role: sensitive}
privacy:
  - {model: p-sensitive, p: 2, k: 3, attribute: ill}
  - {model: alpha-k, alpha: 0.5, k: 3, attribute: ill}
partition: horizontal
protocol: weave
quiet: true
END_OF_STUDY
kith study check s.yaml
