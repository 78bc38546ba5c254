# one party's part of a vertical study: its own columns and its identifiers
key=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
cat > v.yaml <<END
study: clinic
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}}
  - {name: job, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 50}]
partition: vertical
ids: pid
parties:
  - {name: north, address: "127.0.0.1:7101", key: "$key", columns: [age]}
  - {name: south, address: "127.0.0.1:7102", key: "${key/0123/4567}", columns: [job, disease]}
END
printf 'pid,age\np1,30\np2,31\np3,32\n' > north.csv
printf 'pid,job,disease\np1,cook,flu\np2,,cold\np3,cook,flu\n' > south.csv
kith study check v.yaml north.csv --as north
kith study check v.yaml south.csv --as south --quiet
printf 'pid,age\np1,30\np2,x\n,31\np1,32\n' > bad.csv
kith study check v.yaml bad.csv --as north
