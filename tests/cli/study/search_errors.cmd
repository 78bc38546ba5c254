cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: quasi-identifying}
privacy:
  - {model: k-anonymity, k: 5}
algorithm: sequential
ranges: true
mondrian: lax
order: alphabet
restarts: 0
max_passes: 1.5
finish: quickly
effort: best
END
kith study check s.yaml
sed 's/algorithm: .*/algorithm: flash/' s.yaml > t.yaml
kith study check t.yaml 2>&1 | sed 's/which has .*/which has …/'
sed -e '/^[a-z_]*: [a-z0-9.]*$/d' s.yaml > u.yaml
printf 'study: a\nalgorithm: mondrian\nfinish: merge\n' >> u.yaml
kith study check u.yaml
