trap 'ls -A' EXIT
printf 'release_row,sex\n1,f\n2,f\n' >d.csv
printf 'study: s\ncolumns: [{name: release_row, role: quasi-identifying}, {name: sex, role: sensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --mapping m.csv
