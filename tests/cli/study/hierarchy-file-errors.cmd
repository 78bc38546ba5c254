mkdir h
printf 'nurse;health;*\nbaker;food;*\nbaker;trade;*\ncook;food\n' > h/job.csv
cat > s.yaml <<'END'
study: a
columns:
  - {name: job, role: quasi-identifying, hierarchy: h/job.csv}
  - {name: sex, role: quasi-identifying, hierarchy: {file: h/none.csv, separator: ";"}}
  - {name: age, role: quasi-identifying, hierarchy: h}
privacy:
  - {model: k-anonymity, k: 5}
END
kith study check s.yaml
