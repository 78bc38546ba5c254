printf 'pid,age,ill,note\n1,31,flu,a\n1,32,cold,b\n2,35,gout,a\n3,38,cold,a\n,36,flu,a\n,33,gout,a\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: note, role: insensitive}
privacy: [{model: l-diversity, variant: entropy, l: 2, attribute: ill}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv
