# Values that a model lists are numbers where the column has numbers: 08 names 8 and 008.
printf 'age,stay\n1,8\n1,008\n1,3\n1,4\n' >d.csv
printf 'study: s\ncolumns:\n  - {name: age, role: quasi-identifying}\n  - {name: stay, role: sensitive, type: integer}\nprivacy: [{model: delta-presence, min: 0, max: 0.4, subset: {column: stay, values: ["08"]}}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q
