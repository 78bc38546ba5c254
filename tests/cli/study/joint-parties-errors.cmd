cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: vertical
protocol: clustering
publish: own-rows
noise: 3
parties:
  - {name: n, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [a, a, id]}
  - {name: s, address: "127.0.0.1:7002", key: "sha256:2f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [a, d]}
  - {name: w, address: "127.0.0.1:7003", key: "sha256:3f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"}
END
kith study check s.yaml
