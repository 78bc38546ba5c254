cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy:
  - {model: l-diversity, l: 1}
END
kith study check s.yaml
