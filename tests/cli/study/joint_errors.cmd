cat > a.csv <<'END'
a;*
b;*
END
check() {
    {
        cat <<'YAML'
study: joint
columns:
  - {name: id, role: identifying}
  - {name: a, role: quasi-identifying, hierarchy: a.csv}
  - {name: b, role: quasi-identifying, hierarchy: a.csv}
  - {name: d, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
YAML
        cat
    } > s.yaml
    kith study check s.yaml && echo fine
}
check <<'END'
partition: horizontal
protocol: mondrian
END
check <<'END'
partition: vertical
protocol: weave
hide_sizes: true
END
check <<'END'
partition: diagonal
END
check <<'END'
protocol: clustering
algorithm: weave
noise: 0.1
ids: a
END
check <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: mondrian
unmatched: drop
master: north
pregeneralize: {d: 1, a: -1, zip: 2}
END
check <<'END'
partition: vertical
protocol: clustering
publish: own-rows
noise: 3
parties:
  - {name: n, address: "127.0.0.1:7001", key: "sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [a, a, id]}
  - {name: s, address: "127.0.0.1:7002", key: "sha256:2f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a", columns: [a, d]}
  - {name: w, address: "127.0.0.1:7003", key: "sha256:3f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a"}
END
check <<'END'
blur: true
  
END
check <<'END'
  - {model: l-site-diversity, variant: attributes, l: 2}
  - {model: m-privacy, k: 1}
partition: horizontal
END
check <<'END'
  - {model: t-closeness, t: 0.2, attribute: d}
  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a]}
partition: horizontal
blur: true
reweave: 3
END
check <<'END'
  - {model: l-site-diversity, variant: sites, l: 2}
partition: horizontal
END
check <<'END'
protocol: clustering
private_diversity: true
END
check <<'END'
  - {model: l-diversity, variant: distinct, l: 2, attribute: d}
protocol: clustering
private_diversity: true
END
check <<'END'
  - {model: l-diversity, l: 2, attribute: d}
protocol: clustering
private_diversity: true
END
