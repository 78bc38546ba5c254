printf 'a,b\nx,u\ny,v\nz,w\n' >d.csv
cat >s.yaml <<'END'
study: s
columns: [{name: a, role: quasi-identifying}, {name: b, role: quasi-identifying}]
privacy: [{model: k-anonymity, k: 3}]
END
kith anonymize s.yaml -i d.csv -o r.csv
