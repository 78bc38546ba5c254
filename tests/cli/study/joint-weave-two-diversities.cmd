# Classes are trimmed for one sensitive attribute after the other.
cat > s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: ill, role: sensitive}
  - {name: pay, role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: frequency, l: 2, attribute: ill}
  - {model: l-diversity, variant: frequency, l: 2, attribute: pay}
partition: horizontal
protocol: weave
END
kith study check s.yaml
