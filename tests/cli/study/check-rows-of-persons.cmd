awk 'BEGIN { print "patid,age"; for (i = 0; i < 60; i++) print "P" i % 25 "," 20 + i % 25 }' >visits.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 50]}}
privacy: [{model: k-anonymity, k: 5}]
END
kith study check s.yaml visits.csv
