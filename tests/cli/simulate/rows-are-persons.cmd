# Each row is a person; only if nobody is at two sites is a record of all sites one.
awk 'BEGIN { print "age"; for (i = 0; i < 60; i++) print 20 + i }' >d.csv
cat >s.yaml <<'END'
study: s
columns: [{name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10, 20]}, domain: {range: [0, 99]}}]
privacy: [{model: k-anonymity, k: 5}, {model: m-privacy, k: 0}]
unit: row
partition: horizontal
END
for overlap in '' 'overlap: none'; do
  { cat s.yaml; echo "$overlap"; } >o.yaml
  kith simulate o.yaml -i d.csv --sites 2 -o run --in-process --seed 1 -f --no-progress | grep -E -A1 '^(holds k|holds 5|persons)'
  grep -h '"overlap"' run/summary.json run/site1/summary.json run/release.csv.meta.json
  kith report run -o r.html -q -f
  grep -oE 'every (person|record) shares|Whoever is at two sites|It holds if nobody is at two sites' r.html
done
kith study check s.yaml 2>&1 | grep unit
echo 'overlap: none' >>s.yaml
kith study check s.yaml
{ grep -v '^partition' s.yaml; echo 'protocol: id-based'; } >ids.yaml
kith study check ids.yaml -q
