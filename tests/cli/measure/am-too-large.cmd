# 120 columns of 500 values each that are all hidden: 500^120 records are no number any more.
columns=$(seq 120)
{ echo q$columns | sed 's/ /,q/g'
  for i in $(seq 500); do printf "$i,%.0s" $(seq 119); echo $i; done; } > d.csv
{ echo 'study: wide'; echo 'columns:'
  for i in $columns; do echo "  - {name: q$i, role: quasi-identifying}"; done
  echo 'privacy: [{model: k-anonymity, k: 500}]'; echo 'algorithm: hilbert'; } > s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --quiet
kith measure s.yaml d.csv r.csv --json > report.json
grep '"am"' report.json
kith measure s.yaml d.csv r.csv --all > report.txt
grep '^am ' report.txt
