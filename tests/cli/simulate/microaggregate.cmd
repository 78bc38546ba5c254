printf 'age,sex,disease\n21,f,flu\n24,f,cold\n30,f,gout\n40,m,flu\n45,m,cold\n46,m,flu\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, microaggregate: mean}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
END
trap 'ls -A' EXIT
kith simulate s.yaml -i d.csv --sites 2 -o out
