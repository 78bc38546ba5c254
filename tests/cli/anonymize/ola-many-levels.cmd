# 262,144 nodes: ola must not look at the same part of the lattice again when all of it is decided.
awk 'BEGIN { for (i = 1; i <= 6; i++) { printf "c%d%s", i, i < 6 ? "," : "\n" }
  for (r = 0; r < 60; r++) for (i = 1; i <= 6; i++) { cell = ""
    for (d = 0; d < 7; d++) { x = (x * 1103515245 + 12345) % 2147483648; cell = cell int(x / 715827883) }
    printf "%s%s", cell, i < 6 ? "," : "\n" } }' >d.csv
{ printf 'study: s\ncolumns:\n'
  for i in 1 2 3 4 5 6; do echo "  - {name: c$i, role: quasi-identifying, hierarchy: {mask: right}}"; done
  printf 'privacy: [{model: k-anonymity, k: 3}]\nalgorithm: ola\n'; } >s.yaml
sed 's/ola/flash/' s.yaml >f.yaml
kith anonymize f.yaml -i d.csv -o f.csv -q
kith anonymize s.yaml -i d.csv -o r.csv -q
cmp r.csv f.csv
