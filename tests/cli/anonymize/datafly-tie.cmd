printf 'a,b,d\n1,x,u\n1,y,v\n2,x,u\n2,y,v\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: b, role: quasi-identifying}
  - {name: a, role: quasi-identifying}
  - {name: d, role: sensitive}
algorithm: datafly
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o - -q
