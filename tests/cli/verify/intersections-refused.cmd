printf 'pid,age,ill\n1,31,flu\n1,51,flu\n2,32,cold\n3,52,gout\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: l-diversity, variant: distinct, l: 2, attribute: ill}]
unit: pid
intersections: refuse
END
kith anonymize s.yaml -i d.csv -o r.csv --mapping m.csv --seed 1 -q
kith verify s.yaml r.csv --data d.csv --mapping m.csv
