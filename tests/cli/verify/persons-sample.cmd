cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: t-closeness, t: 0.5}]
unit: pid
sample: 0.5
END
printf 'pid,age,ill\n1,20,flu\n1,20,gout\n2,20,gout\n2,20,flu\n' >d.csv
printf 'age,ill\n20,flu\n20,gout\n' >r.csv
printf 'confidential_row,release_row\n1,1\n3,2\n' >m.csv
kith verify s.yaml r.csv --data d.csv --mapping m.csv
