printf 'age,sex,disease\n21,f,flu\n24,f,cold\n30,f,gout\n40,m,flu\n45,m,cold\n46,m,flu\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, microaggregate: mean}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 3}]
END
printf 'age,sex,disease\n43.67,m,flu\n25,f,flu\n43.67,m,cold\n43.67,m,flu\n25,f,cold\n25,f,gout\n' >r.csv
printf 'confidential_row,release_row\n1,2\n2,5\n3,6\n4,1\n5,3\n6,4\n' >m.csv
kith measure s.yaml d.csv r.csv --mapping m.csv
