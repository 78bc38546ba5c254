printf 'a!b\n1!2\n' >d.csv
cat >s.yaml <<'END'
study: s
columns: [{name: a, role: quasi-identifying}]
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o r.csv
