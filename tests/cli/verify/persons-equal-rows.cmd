# five equal rows of each person are five records, and one person
awk 'BEGIN { print "pid,age,ill"; for (i = 0; i < 300; i++) for (j = 0; j < 5; j++) print "p" i "," i % 100 "," (i + j) % 7 }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
unit: pid
END
sed '/^unit/d' s.yaml >rows.yaml
kith anonymize rows.yaml -i d.csv -o r.csv --seed 1 --mapping m.csv -q 2>/dev/null
kith verify rows.yaml r.csv >rows.txt
grep holds rows.txt
kith verify s.yaml r.csv --data d.csv --mapping m.csv
