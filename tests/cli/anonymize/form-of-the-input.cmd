# values of ranges and hierarchy files are released as they were read, also as ends of min..max
(echo age,seen,job; for i in 1 2; do for a in 007 7 8; do for s in 1.3.2024 02.03.2024; do echo $a,$s,3; echo $a,$s,03; done; done; done) > d.csv
printf '%s\n' '3;low;*' '004;low;*' > job.csv
cat > s.yaml <<'END'
study: forms
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}, domain: {range: [0, 20]}}
  - {name: seen, role: quasi-identifying, type: date, format: "%d.%m.%Y", hierarchy: {dates: [month]}, domain: {range: ["2024-01-01", "2024-12-31"]}}
  - {name: job, role: quasi-identifying, type: integer, hierarchy: job.csv}
privacy:
  - {model: k-anonymity, k: 2}
END
kith anonymize s.yaml -i d.csv -o r.csv --quiet --keep-order
cmp d.csv r.csv
kith verify s.yaml r.csv --data d.csv --quiet
sed -i 's/k: 2/k: 4/; $a algorithm: mondrian\nranges: true' s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --force --quiet
kith verify s.yaml r.csv --data d.csv --quiet
sort -u r.csv
