printf 'pid,age,ill\n1,31,flu\n1,32,cold\n2,35,flu\n3,38,flu\n4,38,gout\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: l-diversity, variant: frequency, l: 2, attribute: ill}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv
