printf 'a\n2\n8\n' > d.csv
printf 'a\n*\n*\n' > release.csv
printf '8;x;*\n2;x;*\n;none;*\n' > h.csv
cat > s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: integer, hierarchy: {file: h.csv, separator: ";"}, max_level: 1, microaggregate: mean}
privacy: [{model: k-anonymity, k: 2}]
END
kith verify s.yaml release.csv --data d.csv
