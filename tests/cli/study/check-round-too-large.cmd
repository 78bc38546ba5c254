printf 'a,b,c\n1,1,1\n2,1,1\n3,1e307,9223372036854775807\n4,2,1\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: b, role: insensitive, type: decimal, round: 0.001}
  - {name: c, role: quasi-identifying, type: integer, round: 10, domain: data}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml d.csv
