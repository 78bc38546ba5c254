# Ten people: four are unique, three pairs (docs/risk.md, tests/unit/risk/test_dis_suda.c).
cat > d.csv <<'END'
residence,sex,education,work
urban,f,secondary incomplete,employed
urban,f,secondary incomplete,employed
urban,f,primary incomplete,none
urban,m,secondary complete,employed
rural,f,secondary complete,unemployed
urban,m,secondary complete,employed
urban,f,primary complete,none
urban,m,post-secondary,unemployed
urban,f,secondary incomplete,none
urban,f,secondary incomplete,none
END
cat > s.yaml <<'END'
study: ten
columns:
  - {name: residence, role: quasi-identifying}
  - {name: sex, role: quasi-identifying}
  - {name: education, role: quasi-identifying}
  - {name: work, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 --quiet
kith measure s.yaml d.csv r.csv --special-uniques 3 | sed -n '/^Special/,$p'
kith measure s.yaml d.csv r.csv --special-uniques 3 --json > report.json
sed -n '/"special_uniques"/,/"after"/p' report.json | grep -E 'fraction|dis|score' | sed -E 's/([0-9]\.[0-9]{8})[0-9]*/\1/'
