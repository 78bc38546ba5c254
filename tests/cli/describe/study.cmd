printf 'name,age,sex,disease\nAnna,30,f,flu\nBert,31,m,?\nCleo,30,f,flu\n' > d.csv
cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: insensitive}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
missing_values: ["?"]
END
kith describe d.csv s.yaml
kith describe d.csv s.yaml --json
