# the data of one party, and nobody said whose it is
key=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
cat > v.yaml <<END
study: clinic
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer}
  - {name: job, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
partition: vertical
parties:
  - {name: north, address: "127.0.0.1:7101", key: "$key", columns: [age]}
  - {name: south, address: "127.0.0.1:7102", key: "${key/0123/4567}", columns: [job]}
END
printf 'pid,age\np1,30\np2,31\n' > north.csv
kith study check v.yaml north.csv
