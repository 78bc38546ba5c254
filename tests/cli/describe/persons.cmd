# the persons to whom the records belong: 1 has three, one is nobody's
printf 'pid,age,ill\n1,31,flu\n1,31,gout\n1,40,cold\n2,31,flu\n3,40,gout\n,50,flu\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
kith describe d.csv s.yaml | sed -n '/^risk/,$p'
kith describe d.csv s.yaml --json | grep -E 'persons|one_person'
