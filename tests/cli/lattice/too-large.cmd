{
  echo "study: wide"; echo "columns:"
  for i in $(seq 25); do echo "  - {name: q$i, role: quasi-identifying}"; done
  echo "privacy: [{model: k-anonymity, k: 2}]"; echo "algorithm: flash"
} > s.yaml
for row in 1 2 3; do
  for i in $(seq 25); do [ $row = 1 ] && printf "q$i" || printf "$((i * row % 5))"; [ $i -lt 25 ] && printf ,; done; echo
done > d.csv
kith anonymize s.yaml -i d.csv -o r.csv; echo "exit $?"; ls
