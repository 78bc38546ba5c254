printf 'age\n12\n14\n88\n131\n' >d.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying, type: integer, round: 5, top: 90, microaggregate: mean}]\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv >/dev/null
cat r.csv
