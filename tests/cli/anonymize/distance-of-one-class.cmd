# The only class is as far from the table as the table itself: 0, not -0.
printf 'age,disease\n20,flu\n20,cold\n20,gout\n' > d.csv
cat > s.yaml <<'END'
study: one
columns:
  - {name: age, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: t-closeness, t: 0.5, attribute: disease}]
END
kith anonymize s.yaml -i d.csv -o r.csv | sed -n '/^holds/,$p'
kith verify s.yaml r.csv --json | grep worst
