# from the disk, through a pipe: persons are not known there either
{ echo pid,age; for i in $(seq 400); do echo "$((i % 150)),$((i % 80))"; done; } >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
privacy: [{model: k-anonymity, k: 2}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 -q
mkfifo p
cat r.csv >p &
kith verify s.yaml p --memory 1MB
