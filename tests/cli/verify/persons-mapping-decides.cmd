# Both mappings fit. By the first each class has two persons, by the second one has a single person.
printf 'pid,age,ill\n1,31,flu\n2,31,flu\n1,31,flu\n2,31,flu\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
printf 'age,ill\n31,flu\n31,flu\n30-34,flu\n30-34,flu\n' >r.csv
printf 'confidential_row,release_row\n1,1\n2,2\n3,3\n4,4\n' >m.csv
printf 'confidential_row,release_row\n1,1\n3,2\n2,3\n4,4\n' >other.csv
kith verify s.yaml r.csv --data d.csv --mapping m.csv
kith verify s.yaml r.csv --data d.csv --mapping other.csv
