printf 'age,sex\n20,f\n22,f\n28,m\n30,m\n31,f\n38,m\n40,m\n45,f\n,f\n' >d.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying, type: integer, microaggregate: mean}, {name: sex, role: sensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\nsample: 0.5\nmissing: drop\n' >s.yaml
printf 'age,sex\n42.5,m\n25,f\n42.5,f\n25,m\n' >r.csv
printf 'confidential_row,release_row\n2,2\n3,4\n7,1\n9,3\n' >m.csv
kith verify s.yaml r.csv --data d.csv --mapping m.csv
