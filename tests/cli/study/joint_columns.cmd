cat > a.csv <<'CSV'
a;*
b;*
CSV
check() {
    {
        cat <<'YAML'
study: joint
columns:
  - {name: id, role: identifying}
  - {name: a, role: quasi-identifying, hierarchy: a.csv}
  - {name: b, role: quasi-identifying, hierarchy: a.csv}
  - {name: d, role: sensitive}
  - {name: e, role: sensitive}
  - {name: note, role: insensitive}
privacy:
  - {model: k-anonymity, k: 2}
  - {model: t-closeness, t: 0.3, attribute: d}
partition: vertical
unmatched: error
YAML
        cat
    } > s.yaml
    kith study check s.yaml && echo fine
}
north='name: n, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"'
south='name: s, address: "127.0.0.1:7002", key: "sha256:2f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"'
check <<YAML
parties:
  - {$north, columns: [a, d, note]}
  - {$south, columns: [b, e]}
YAML
check <<YAML
publish_insensitive: true
parties:
  - {$north, columns: [a, note]}
  - {$south, columns: [b, d, e]}
YAML
check <<YAML
parties:
  - {$north, columns: [a, note]}
  - {$south, columns: [b, d, e]}
YAML
