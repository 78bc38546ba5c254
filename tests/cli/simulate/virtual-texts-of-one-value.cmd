printf 'a,ward\n+23,w23\n41,Kiel\n23,Kiel\n041,w16\n' > d.csv
cat > s.yaml <<'END'
study: s
partition: horizontal
protocol: clustering
publish: virtual
columns:
  - {name: a, role: sensitive, type: integer}
  - {name: ward, role: quasi-identifying}
privacy: [{model: l-diversity, variant: frequency, l: 2}, {model: m-privacy, k: 0}]
END
kith simulate s.yaml -i d.csv --sites 2 -o run --in-process -q --seed 1 --query "select a, count(*) group by a" &&
  sort run/release.csv && kith simulate s.yaml -i d.csv --sites 2 -o other --in-process --seed 1 --query "select a, count(*) group by a" | sed -n '/^select/,$p'
