# a multiple beyond the largest number: said before anything is searched
printf 'a,b\n1,1\n2,1\n3,1e307\n4,2\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: b, role: insensitive, type: decimal, round: 0.001}
privacy: [{model: k-anonymity, k: 2}]
END
trap 'ls -A' EXIT
kith anonymize s.yaml -i d.csv -o r.csv
