# the order of the data is kept where it is asked for, and the warning says what it may tell
printf 'age,disease\n61,flu\n63,cold\n20,gout\n24,flu\n' > d.csv
cat > s.yaml <<'EOF'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
EOF
kith anonymize s.yaml -i d.csv -o kept.csv --keep-order --mapping m.csv --summary kept.json >/dev/null
kith anonymize s.yaml -i d.csv -o - -q
cat kept.csv
cut -d, -f1-3 m.csv
grep -A1 '"order"\|"warnings"' kept.json
kith anonymize s.yaml -i d.csv -o - -q --keep-order
