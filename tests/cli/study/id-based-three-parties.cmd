cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
parties:
  - {name: north, address: "localhost:7001", key: "sha256:0000000000000000000000000000000000000000000000000000000000000001"}
  - {name: south, address: "localhost:7002", key: "sha256:0000000000000000000000000000000000000000000000000000000000000002"}
  - {name: east, address: "localhost:7003", key: "sha256:0000000000000000000000000000000000000000000000000000000000000003"}
END
kith study check s.yaml
