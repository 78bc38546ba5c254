cat > s.yaml <<'YAML'
study: a
columns: [{name: age, role: quasi-identifying}]
privacy: [{model: k-anonymity, k: 2}]
timeout: 0
parties:
  - {name: north, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"}
  - {name: north, address: "127.0.0.1:7002", key: "sha256:ab"}
  - {name: "../up", address: "::1:7003", key: "md5:00", columns: [age]}
  - {name: west, address: "[::1]:70000", kye: x}
  - {name: east, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"}
YAML
kith study check s.yaml
