printf 'a,disease\n02.01.2024,flu\n01.01.2024,cold\n' > d.csv
printf '01.01.2024;*\nother;*\n02.01.2024;*\n;*\n' > h.csv
cat > s.yaml <<'END'
study: s
partition: horizontal
protocol: mondrian
publish: virtual
columns:
  - {name: a, role: quasi-identifying, type: date, format: "%d.%m.%Y", hierarchy: {file: h.csv, separator: ";"}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: m-privacy, k: 0}]
END
kith simulate s.yaml -i d.csv --sites 2 --split by:disease -o run --in-process -q --seed 1 --query "select count(*)" && sort run/release.csv
