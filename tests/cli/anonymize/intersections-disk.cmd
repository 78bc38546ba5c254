awk 'BEGIN { print "pid,age,ill"; for (i = 0; i < 60000; i++) print i % 20000 "," i % 90 "," i % 20000 % 5 }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: l-diversity, variant: distinct, l: 2, attribute: ill}]
unit: pid
intersections: refuse
memory: 1MB
END
kith anonymize s.yaml -i d.csv -o r.csv
