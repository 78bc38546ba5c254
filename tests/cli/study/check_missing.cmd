cat > s.yaml <<'END'
study: a
algorithm: sequential
columns:
  - {name: age, role: quasi-identifying}
  - {name: sex, role: quasi-identifying}
privacy:
  - {model: k-anonymity, k: 2}
missing: reject
missing_values: ["?"]
END
printf 'age,sex\n30,m\n?,f\n31,?\n32,?\n' > d.csv
kith study check s.yaml d.csv
sed 's/reject/drop/' s.yaml > t.yaml
kith study check t.yaml d.csv
printf 'age,sex\n?,m\n' > e.csv
kith study check t.yaml e.csv
printf 'age,sex\n' > f.csv
kith study check t.yaml f.csv nowhere.csv
