printf 'age,sex,disease\n21,f,flu\n24,f,cold\n30,f,gout\n40,m,flu\n45,m,cold\n46,m,flu\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, microaggregate: mean}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
END
kith anonymize s.yaml -i d.csv -o r.csv -q --keep-order
kith measure s.yaml d.csv r.csv --queries 100 --seed 1 | sed '/^Risk/,$d'
kith measure s.yaml d.csv r.csv --json | grep -o '"lost_variance":[^},]*'
