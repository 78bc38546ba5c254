# a format without a date: hours and minutes show no day
(echo at; for t in 08:00 08:15 09:15 09:15; do echo $t; done) > t.csv
cat > t.yaml <<'END'
study: times
columns:
  - {name: at, role: quasi-identifying, type: date, format: "%H:%M", hierarchy: {dates: [minute, hour]}}
privacy: [{model: k-anonymity, k: 2}]
END
kith anonymize t.yaml -i t.csv -o -
