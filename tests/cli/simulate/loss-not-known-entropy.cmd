# rows that the release suppresses cannot be told from others, and their entropy with them
kith generate hospital -n 300 --seed 1 -o p.csv >/dev/null
sed 's/^  measure: lm/  {measure: entropy, suppression: 0.1}/' p.study.yaml >s.yaml
printf 'protocol: encrypted-view\nalgorithm: flash\n' >>s.yaml
kith simulate s.yaml -i p.csv --sites 2 -o run --seed 1 --baseline --in-process >out
grep -E '^(loss|sites)' out
grep -E '"objective"' run/summary.json run/site1/summary.json
grep -A1 -E '"loss"' run/site1/summary.json
