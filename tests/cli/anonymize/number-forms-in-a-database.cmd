printf 'age,pay\n21,7\n21,007\n21,8\n21,9\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer}
  - {name: pay, role: sensitive, type: integer}
privacy: [{model: k-anonymity, k: 3}]
END
kith anonymize s.yaml -i d.csv -o 'sqlite:r.db?table=r' -q
grep -ao 'CREATE TABLE "r" ([^)]*)' r.db
