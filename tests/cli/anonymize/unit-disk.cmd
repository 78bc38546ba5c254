awk 'BEGIN { print "pid,age,ill,note"; for (i = 0; i < 60000; i++) print i % 20000 "," i % 90 ",flu,a" }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: note, role: insensitive}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
memory: 1MB
END
kith anonymize s.yaml -i d.csv -o r.csv
