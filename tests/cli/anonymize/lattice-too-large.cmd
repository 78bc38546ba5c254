{
  printf 'study: wide\ncolumns:\n'
  seq -f '  - {name: q%g, role: quasi-identifying}' 25
  printf 'privacy: [{model: k-anonymity, k: 2}]\nalgorithm: flash\n'
} > s.yaml
{
  seq -f q%g -s , 25
  awk 'BEGIN { for (row = 2; row < 4; row++) for (i = 1; i <= 25; i++) printf "%d%s", i * row % 5, i < 25 ? "," : "\n" }'
} > d.csv
trap 'ls -A' EXIT
kith anonymize s.yaml -i d.csv -o r.csv
