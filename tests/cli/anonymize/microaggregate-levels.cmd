printf 'age,stay\n20,1\n28,2\n30,3\n38,4\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}, max_level: 1, microaggregate: mean}
  - {name: stay, role: insensitive}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv
cat r.csv
printf 'age,stay\n29,1\n29,2\n29,3\n29,4\n' >f.csv
kith verify s.yaml f.csv --data d.csv
