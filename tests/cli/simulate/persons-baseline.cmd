awk 'BEGIN { print "pid,age,ill"; for (i = 0; i < 60; i++) print "p" i % 25 "," 20 + i % 25 "," (i * 7 % 5 < 3 ? "flu" : "cold") }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: card, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
  - {name: pid, role: identifying}
privacy: [{model: k-anonymity, k: 5}]
unit: pid
algorithm: flash
partition: horizontal
protocol: encrypted-view
END
kith simulate s.yaml -i d.csv --sites 2 --in-process -o out --seed 1 --baseline -q
grep -o '"failed_sites":.[0-9]*' out/summary.json
