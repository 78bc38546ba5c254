cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: quasi-identifying}
  - {name: illness, role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
algorithm: sequential
block: 64
END
kith study check s.yaml
sed 's/^block: .*/block: 0/' s.yaml > t.yaml
kith study check t.yaml
sed 's/^algorithm: .*/algorithm: mondrian/' s.yaml > u.yaml
kith study check u.yaml
printf 'utility: {measure: pmi}\n' | cat s.yaml - > v.yaml
kith study check v.yaml
