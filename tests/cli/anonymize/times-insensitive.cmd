# a time of day is released as it was, also in a column that is not generalized
printf 'visit,sex\n2024-03-01 08:00:00,m\n2024-03-01 17:45:00,m\n' > t.csv
cat > t.yaml <<'END'
study: times
columns:
  - {name: visit, role: insensitive, type: date, format: "%Y-%m-%d %H:%M:%S"}
  - {name: sex, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize t.yaml -i t.csv -o r.csv --quiet
cat r.csv
kith verify t.yaml r.csv --data t.csv
sed 's/17:45/08:00/' r.csv > false.csv
kith verify t.yaml false.csv --data t.csv
