printf 'pid,age,ill\n1,31,flu\n1,31,flu\n1,32,gout\n1,33,cold\n2,34,flu\n3,36,flu\n3,37,cold\n4,38,cold\n4,39,gout\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: dominance, share: 0.4}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv
