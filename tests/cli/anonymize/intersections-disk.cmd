# Classes of one age show three values, and those of a person have one in common.
awk 'BEGIN { print "pid,age,ill"; for (i = 0; i < 60000; i++) { p = i % 20000; print p "," (p + 13 * int(i / 20000)) % 90 "," p % 5 } }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: l-diversity, variant: distinct, l: 3, attribute: ill}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o exposed.csv --seed 1 --summary s.json -q
grep '"persons"' s.json | tail -1
echo 'intersections: refuse' >>s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 -q
echo 'memory: 1MB' >>s.yaml
kith anonymize s.yaml -i d.csv -o disk.csv --mapping m.csv --seed 1 -q
cmp disk.csv r.csv
kith verify s.yaml disk.csv --data d.csv --mapping m.csv | grep -A1 '^holds intersections'
! cmp -s exposed.csv r.csv
