printf 'pay;stay\n1.234,50;1,5\n1.000,00;2\n;3,25\n;4\n0,5;-1\n0,25;-0,75\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pay, role: quasi-identifying, type: decimal, decimal: comma, microaggregate: mean}
  - {name: stay, role: quasi-identifying, type: decimal, decimal: comma, microaggregate: mean}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv >/dev/null
cat r.csv
