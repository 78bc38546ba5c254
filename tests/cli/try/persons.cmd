# risks are those of persons, and the fewest persons of a class stand beside its records
{ echo pid,age; for i in $(seq 60); do echo "$((i % 20)),$((i % 40))"; done; } >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
kith try s.yaml -i d.csv --set k=2,4,21 --seed 1 --csv t.csv -q
sed -E 's/,[0-9.e-]+(,[0-9]+,(yes|no))/,TIME\1/' t.csv
