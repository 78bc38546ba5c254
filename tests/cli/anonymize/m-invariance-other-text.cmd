# An earlier release may have written the same number in another way.
printf 'id,age,pay\np1,1,007\np2,1,8\n' >d.csv
printf 'confidential_row,id,pay,_kith_class\n1,p1,7,1\n2,x,08,1\n' >m.csv
printf 'study: s\ncolumns:\n  - {name: id, role: identifying}\n  - {name: age, role: quasi-identifying}\n  - {name: pay, role: sensitive, type: integer}\nprivacy: [{model: m-invariance, m: 2, previous: [m.csv], id: id}]\nalgorithm: flash\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv -q
cat r.csv
