printf 'age,zip\n20,1\n,2\n30,1\n30,2\n' > data.csv
cat > s.yaml <<'END'
study: missing cells
missing_values: [""]
missing: drop
columns:
  - {name: age, role: quasi-identifying}
  - {name: zip, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
partition: horizontal
protocol: id-based
END
kith estimate s.yaml -i data.csv --sites 2 -q --summary s.json
grep '"protocol"' s.json
