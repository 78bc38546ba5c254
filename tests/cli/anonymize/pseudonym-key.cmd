printf 'id,age\np1,3\np2,3\n' >d.csv
printf 'study: s\ncolumns:\n  - {name: id, role: identifying, pseudonym: id.key}\n  - {name: age, role: quasi-identifying}\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q || true
(umask 077; printf 'short' >id.key); kith anonymize s.yaml -i d.csv -o r.csv -q || true
chmod 640 id.key
kith anonymize s.yaml -i d.csv -o r.csv -q
