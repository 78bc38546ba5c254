(umask 077; printf '0123456789abcdef0123456789abcdef' >id.key)
printf 'id,age,pay,stay\np1,3,1.26,2\np2,14,1.24,40\np3,97,8,3\np1,101,9.99,90\n' >d.csv
printf 'study: s\ncolumns:\n  - {name: id, role: identifying, pseudonym: id.key}\n  - {name: age, role: quasi-identifying, type: integer, bottom: 18, top: 90}\n  - {name: pay, role: sensitive, type: decimal, round: 0.5}\n  - {name: stay, role: insensitive, type: integer, round: 10, top: 50}\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv >/dev/null
cat r.csv
