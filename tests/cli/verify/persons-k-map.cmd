# k-map counts records of the population, whoever has the rows
printf 'pid,age,ill\n1,31,flu\n1,32,gout\n2,35,cold\n3,38,flu\n,36,gout\n,33,cold\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: k-map, k: 2, population: p.csv}]
unit: pid
END
printf 'age\n31\n33\n34\n' >p.csv
printf 'age,ill\n30-39,flu\n' >r.csv
kith verify s.yaml r.csv
