printf '34,m,flu\n35,m,cold\n36,f,flu\n37,f,cold\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: c1, role: quasi-identifying, type: integer, hierarchy: {intervals: [2, 4]}}
  - {name: c3, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv --no-header -o - -q
