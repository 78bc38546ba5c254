# without a mapping risks are those of records, and it is said
printf 'pid,age\n1,31\n1,32\n2,35\n3,38\n,36\n4,33\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 --mapping m.csv -q
kith measure s.yaml d.csv r.csv | sed -n '/^Risk/,$p'
kith measure s.yaml d.csv r.csv --json | grep not_checked
kith measure s.yaml d.csv r.csv --mapping m.csv | sed -n '/^Risk/,$p'
