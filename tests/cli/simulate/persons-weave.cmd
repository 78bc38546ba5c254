# Persons with three equal rows each: in classes of five records there would be two of them.
awk 'BEGIN { print "pid,age,ill"; for (p = 0; p < 60; p++) for (v = 0; v < 3; v++) printf "%d,%d,%s\n", p, 20 + p, p % 3 ? "flu" : "cold" }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 99]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
unit: pid
overlap: none
partition: horizontal
END
kith simulate s.yaml -i d.csv --sites 2 -o run --in-process --seed 1 | grep -A2 -E '^(classes|holds|FAILS|not checked)'
grep -A6 '"models"' run/site1/summary.json
cut -d, -f1 run/release.csv | sort | uniq -c
