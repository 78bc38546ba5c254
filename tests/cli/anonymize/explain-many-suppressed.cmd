# Of many suppressed classes the largest five are shown.
{ echo age,town; for i in $(seq 40); do echo 30,here; done; for i in $(seq 1 9); do echo "$((i + 50)),there"; done; } > d.csv
cat > s.yaml <<'END'
study: many
columns:
  - {name: age, role: quasi-identifying, type: integer, min_level: 0, max_level: 0}
  - {name: town, role: quasi-identifying, max_level: 0}
privacy: [{model: k-anonymity, k: 5}]
utility: {suppression: 0.2}
algorithm: flash
END
kith anonymize s.yaml -i d.csv -o r.csv --explain | sed -n '/^why/,$p'
