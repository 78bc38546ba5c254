# people of one hour show the hour, not the minute of one of them
(echo visit,sex; for t in 08:00 08:15 08:30 17:45 17:45 17:45; do echo "2024-03-01 $t,m"; done; for t in 09:00 10:00 11:00; do echo "2024-03-02 $t,f"; done) > t.csv
cat > t.yaml <<'END'
study: times
columns:
  - {name: visit, role: quasi-identifying, type: date, format: "%Y-%m-%d %H:%M", hierarchy: {dates: [hour, day, month]}}
  - {name: sex, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 3}]
END
kith study check t.yaml t.csv
kith anonymize t.yaml -i t.csv -o r.csv
cat r.csv
kith verify t.yaml r.csv --data t.csv
