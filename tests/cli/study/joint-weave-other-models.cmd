# Models of sensitive values that the joint tree of rows cannot keep, and who can; nobody is called.
cat > s.yaml <<'END_OF_STUDY'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: ill, role: sensitive, type: integer}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: t-closeness, variant: equal, t: 0.2, attribute: ill}
  - {model: t-closeness, variant: ordered, t: 0.2, attribute: ill}
  - {model: beta-likeness, variant: basic, beta: 1, attribute: ill}
  - {model: delta-disclosure, delta: 1, attribute: ill}
  - {model: dissimilarity, variant: equal, epsilon: 0.1, delta: 0.5, k: 3, attribute: ill}
  - {model: lkc, l: 1, k: 3, c: 0.5, attribute: ill}
  - {model: alpha-k, alpha: 0.0005, k: 3, attribute: ill}
partition: horizontal
protocol: weave
END_OF_STUDY
kith study check s.yaml
