# a number or date that is written in several ways is released as it was read; to l-diversity it is one value
(echo age,seen,dose,note; for i in 1 2; do echo 007,1.3.2024,1.50,+5; echo 7,01.03.2024,1.5,5; echo 7,1.3.2024,2,05; echo 007,01.03.2024,2.0,5; done) > t.csv
cat > t.yaml <<'END'
study: texts
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}}
  - {name: seen, role: quasi-identifying, type: date, format: "%d.%m.%Y", hierarchy: {dates: [month]}}
  - {name: dose, role: sensitive, type: decimal}
  - {name: note, role: insensitive, type: integer}
privacy:
  - {model: k-anonymity, k: 2}
END
kith anonymize t.yaml -i t.csv -o r.csv --quiet --keep-order
cmp r.csv t.csv
echo '  - {model: l-diversity, variant: distinct, l: 2, attribute: dose}' >> t.yaml
kith anonymize t.yaml -i t.csv -o r.csv --force --seed 1
cat r.csv
kith verify t.yaml r.csv --data t.csv
