printf 'age,stay\n3,2\n14,40\n97,3\n101,90\n' >d.csv
printf 'study: s\ncolumns:\n  - {name: age, role: quasi-identifying, type: integer, bottom: 18, top: 90}\n  - {name: stay, role: insensitive, type: integer}\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
printf 'age,stay\n18,2\n18,40\n18,3\n90,90\n' >r.csv
kith verify s.yaml r.csv --data d.csv | sed -n '/cover/,$p'
