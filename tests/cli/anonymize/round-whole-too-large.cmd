printf 'a,b\n1,1\n2,1\n3,9223372036854775807\n4,2\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: b, role: sensitive, type: integer, round: 10}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o r.csv
