{ echo age,zip; for i in $(seq 40); do echo "20,a"; echo "30,b"; echo "?,a"; done; } > data.csv
cat > s.yaml <<'END'
study: missing cells that are not empty
missing_values: ["?"]
missing: drop
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
  - {name: zip, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
partition: horizontal
END
kith estimate s.yaml -i data.csv --sites 2 -q --seed 1 --summary s.json
grep '"protocol"' s.json
