for people in 0 -3 2.5 1e16 many; do
  printf 'study: s\ncolumns: [{name: a, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\npopulation: %s\n' $people >s.yaml
  kith study check s.yaml || true
done
kith study check s.yaml
