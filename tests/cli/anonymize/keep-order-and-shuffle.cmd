trap 'ls' EXIT
kith anonymize s.yaml -i d.csv -o r.csv --keep-order --shuffle
