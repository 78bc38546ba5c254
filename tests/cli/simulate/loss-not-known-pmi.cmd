kith generate hospital -n 300 --seed 1 -o p.csv >/dev/null
sed 's/^  measure: lm/  measure: pmi/' p.study.yaml >s.yaml
printf 'protocol: encrypted-view\nalgorithm: sequential\n' >>s.yaml
kith simulate s.yaml -i p.csv --sites 2 -o run --seed 1 --in-process --baseline | grep -E '^(loss|sites)'
