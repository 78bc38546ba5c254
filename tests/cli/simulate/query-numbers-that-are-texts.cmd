printf 'age,ill\n23,flu\n43,cold\n90,gout\n72,flu\n' > d.csv
printf '23,low,all\n43,low,all\n72,high,all\n90,high,all\nunknown,unknown,all\n' > h.csv
cat > s.yaml <<'END'
study: s
partition: horizontal
protocol: clustering
publish: virtual
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: h.csv}
  - {name: ill, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: m-privacy, k: 0}]
END
kith simulate s.yaml -i d.csv --sites 3 -o run --in-process -q --seed 1 --query "select count(*) where age = 23"
