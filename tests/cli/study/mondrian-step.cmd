cat > s.yaml <<'END'
study: steps
columns:
  - {name: age, role: quasi-identifying, type: integer, domain: {range: [0, 119]}}
  - {name: born, role: quasi-identifying, type: date, step: 30, domain: {range: [1970-01-01, 1979-12-31]}}
  - {name: city, role: quasi-identifying, step: 2}
privacy:
  - {model: k-anonymity, k: 2}
protocol: mondrian
END
kith study check s.yaml
