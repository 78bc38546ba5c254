# A suppressed row shows the root, and no mean.
printf 'age,sex\n21,f\n23,f\n30,f\n32,f\n99,m\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, microaggregate: mean}
  - {name: sex, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
algorithm: flash
utility: {suppression: 0.2}
END
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv
cat r.csv
