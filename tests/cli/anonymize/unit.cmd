printf 'pid,age,ill,note\n1,31,flu,a\n1,32,flu,b\n2,35,gout,a\n3,38,cold,a\n,36,flu,a\n,33,gout,a\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: note, role: insensitive}
privacy: [{model: k-anonymity, k: 3}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv --summary s.json --seed 1 --mapping m.csv
awk -F, '{ print $1, $NF }' m.csv; grep -E '"(unit|persons|smallest_class_persons)"' s.json; cat r.csv
