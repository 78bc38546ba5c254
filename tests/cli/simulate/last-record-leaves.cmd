# The only record of a cluster moves to another one: the other site is told an empty cluster with no counts.
printf 'b,a\n0.5,flu\n0.0,flu\n' >d.csv
cat >s.yaml <<'END'
study: two
partition: horizontal
protocol: clustering
finish: merge
columns:
  - {name: a, role: sensitive}
  - {name: b, role: quasi-identifying}
privacy: [{model: alpha-k, alpha: 1, k: 2, attribute: a}, {model: m-privacy, k: 0}]
END
for seed in 1 2 3 4 5 6 7 8; do
  kith simulate s.yaml -i d.csv --sites 2 --in-process --seed $seed --threads 1 -o run --force -q
done
cat run/release.csv
