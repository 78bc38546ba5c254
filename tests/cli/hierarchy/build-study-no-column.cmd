printf "size;dx\n1.234,5;a\n179,5;b\nk.A.;a\n-;b\n180,0;a\n" > d.csv
cat > s.yaml <<END
study: sizes
missing_values: ["", k.A., "-"]
columns:
  - {name: size, role: quasi-identifying, type: decimal, decimal: comma, hierarchy: {intervals: [100, 1000]}}
  - {name: dx, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
END
kith hierarchy build '{intervals: [100, 1000]}' -i d.csv --column weight --study s.yaml
