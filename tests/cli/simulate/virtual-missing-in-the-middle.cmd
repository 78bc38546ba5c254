printf 'a,disease\nx,flu\ny,cold\n' > d.csv
printf 'x;*\n;*\ny;*\n' > h.csv
cat > s.yaml <<'END'
study: s
partition: horizontal
protocol: clustering
publish: virtual
columns:
  - {name: a, role: quasi-identifying, hierarchy: {file: h.csv, separator: ";"}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: m-privacy, k: 0}]
END
trap 'sed "s/site[12]:/a site:/" err' EXIT # which one comes first is open
kith simulate s.yaml -i d.csv --sites 2 -o run --in-process -q --seed 1 --query "select count(*)" 2> err
