printf "ward,age,ill\na,30,flu\na,31,cold\nb,32,flu\nb,33,cold\nb,,\na,34,flu\nb,35,flu\n" >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: ward, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 4}]
partition: horizontal
protocol: weave
END
kith simulate s.yaml -i d.csv --sites 2 --in-process -o out --seed 1 --split by:ward -q 2>/dev/null
grep -E '"(empty|records)"' out/summary.json out/site*/summary.json
kith verify s.yaml out/release.csv --data d.csv -q
