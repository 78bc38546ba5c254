# Keys that belong elsewhere: the message has their path.
cat > s.yaml <<'END'
study: t
supression: 0.1
type: integer
k: 5
address: north:7000
nothing_like_it: 1
columns:
  - {name: a, role: quasi-identifying, measure: lm, intervals: [5]}
  - {name: b, role: quasi-identifying, hierarchy: {intervals: [5], role: x}}
privacy: [{model: k-anonymity, k: 5, suppression: 0.1, l: 2}]
utility: {measure: lm, partitoin: vertical, per_day: 3}
END
kith study check s.yaml
