# even if they are in the order of the data
printf 'pid,age,ill\n1,31,flu\n1,32,gout\n2,35,cold\n3,38,flu\n,36,gout\n,33,cold\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 --mapping m.csv -q --keep-order 2>/dev/null
kith verify s.yaml r.csv --data d.csv
