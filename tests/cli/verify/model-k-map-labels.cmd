# people whom the labels stand for are counted, also with values that the data lacks, with and without the data
(echo age,zip,seen,grade; for i in 1 2; do echo 21,81667,01.03.2024,b; echo 24,81669,07.03.2024,e; done) > d.csv
(echo age,zip,seen,grade; echo 023,81660,5.3.2024,c; echo 25,81660,05.03.2024,c; echo 22,816670,05.03.2024,c; echo 22,8166,31.03.2024,ca; echo 22,8166,31.03.2024,f) > people.csv
cat > s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}}
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: seen, role: quasi-identifying, type: date, format: "%d.%m.%Y", hierarchy: {dates: [month]}}
  - {name: grade, role: quasi-identifying, hierarchy: {order: [4]}}
privacy:
  - {model: k-anonymity, k: 4}
  - {model: k-map, k: 2, population: people.csv}
END
kith anonymize s.yaml -i d.csv -o r.csv --quiet
sort -u r.csv
kith verify s.yaml r.csv --data d.csv
sed -i 's/k: 2/k: 3/' s.yaml
kith verify s.yaml r.csv
