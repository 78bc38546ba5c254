cat > s.yaml <<'YAML'
study: a
columns:
  - {name: age, role: quasi-identifying}
privacy:
  - {model: k-anonymity, k: 5}
utility:
  suppression: 0.05
YAML
kith study check s.yaml
echo 'algorithm: flash' | cat s.yaml - > chosen.yaml
kith study check chosen.yaml
sed 's/0.05/0/' s.yaml > nothing.yaml
kith study check nothing.yaml
echo '  measure: dm' | cat s.yaml - > anyway.yaml
kith study check anyway.yaml
