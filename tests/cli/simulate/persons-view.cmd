awk 'BEGIN { print "pid,age,ill"; for (i = 0; i < 60; i++) print "p" i % 25 "," 20 + i % 25 "," (i * 7 % 5 < 3 ? "flu" : "cold") }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 5}]
unit: pid
overlap: matched
algorithm: flash
partition: horizontal
protocol: encrypted-view
END
grep -v '^overlap\|^partition\|^protocol' s.yaml >one.yaml
kith anonymize one.yaml -i d.csv -o one.csv --seed 1 -q
for sites in 2 3 5; do
  kith simulate s.yaml -i d.csv --sites $sites --in-process -o run --seed 1 --quiet --force
  cmp <(sort one.csv) <(sort run/release.csv)
done
sort -u one.csv
