# 08 names 8 and 008, half of the class.
printf 'age,stay\n1,8\n1,008\n1,3\n1,4\n' >r.csv
printf 'study: s\ncolumns:\n  - {name: age, role: quasi-identifying}\n  - {name: stay, role: sensitive, type: integer}\nprivacy: [{model: lkc, l: 1, k: 2, c: 0.4, values: ["08"]}]\n' >s.yaml
kith verify s.yaml r.csv
