cat > s.yaml <<'EOF'
study: twice
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: id, role: identifying}
privacy:
  - {model: k-anonymity, k: 2}
partition: vertical
protocol: encrypted-view
ids: id
pregeneralize: {age: 1, age: 0}
EOF
kith study check s.yaml
