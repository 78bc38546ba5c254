cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/columns.yaml - > s.yaml <<'END'
parties:
  - {name: n, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [a, d, note]}
  - {name: s, address: "127.0.0.1:7002", key: "sha256:2f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [b, e]}
END
kith study check s.yaml
