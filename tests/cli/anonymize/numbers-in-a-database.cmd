printf 'age,stay,cost,code\n34,5,12.5,007\n35,7,3,8\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: stay, role: sensitive, type: integer}
  - {name: cost, role: insensitive, type: decimal}
  - {name: code, role: insensitive}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o 'sqlite:r.db?table=r' -q
kith verify s.yaml 'sqlite:r.db?table=r' --data d.csv -q
grep -ao 'CREATE TABLE "r" ([^)]*)' r.db
