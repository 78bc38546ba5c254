# rows whose cells are missing at some site (missing: drop) leave a column that no site has rows of
printf 'c0,c1,c2\n,,4\nc,,4\n' > d.csv
cat > s.yaml <<'END'
study: incomplete
columns:
  - {name: c0, role: quasi-identifying, hierarchy: {mask: left}}
  - {name: c1, role: sensitive}
  - {name: c2, role: quasi-identifying, type: integer, hierarchy: suppress}
privacy:
  - {model: l-diversity, variant: distinct, l: 2, attribute: c1}
missing: drop
algorithm: sequential
partition: hybrid
protocol: encrypted-view
END
trap 'test ! -e run' EXIT
kith simulate s.yaml -i d.csv --sites 4 --split 2x2 -o run --in-process --no-progress
