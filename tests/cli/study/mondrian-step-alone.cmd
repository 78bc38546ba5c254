cat > s.yaml <<'END'
study: steps
columns:
  - {name: age, role: quasi-identifying, type: integer, step: 5}
privacy:
  - {model: k-anonymity, k: 2}
END
kith study check s.yaml
