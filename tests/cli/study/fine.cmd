cat > s.yaml <<'END'
study: cardio
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 120]}}
  - {name: sex, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
  - {model: l-diversity, l: 2}
algorithm: sequential
END
printf 'age,sex,disease,extra\n30,m,flu,1\n31,m,cold,2\n40,f,flu,3\n41,f,cough,4\n' > d.csv
kith study check s.yaml d.csv
kith study check --quiet s.yaml d.csv
kith study check --json s.yaml d.csv
kith study digest s.yaml
