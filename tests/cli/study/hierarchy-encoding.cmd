# The study names the encoding of a hierarchy file; the digest is that of the same file in UTF-8.
printf 'Köln;Rhein;*\nMünchen;Süden;*\n' > h8.csv
iconv -t WINDOWS-1252 h8.csv > h.csv
study() { printf 'study: towns\ncolumns:\n  - {name: town, role: quasi-identifying, hierarchy: %s}\nprivacy: [{model: k-anonymity, k: 2}]\n' "$1"; }
study '{file: h.csv, encoding: WINDOWS-1252}' > s.yaml
study h8.csv > s8.yaml
printf 'town\nKöln\nMünchen\nKöln\n' > d.csv
kith study digest s.yaml --expect "$(kith study digest s8.yaml)"
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 --quiet
cat r.csv
study '{mask: right, encoding: WINDOWS-1252}' > wrong.yaml
kith study check wrong.yaml || true
study h.csv > s.yaml
kith study check s.yaml
