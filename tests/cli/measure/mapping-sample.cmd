# half of the records, and which ones only the mapping knows
printf 'age,sex\n20,f\n22,f\n28,m\n30,m\n31,f\n38,m\n40,m\n45,f\n' >d.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying, type: integer, microaggregate: mean}, {name: sex, role: sensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\nsample: 0.5\n' >s.yaml
printf 'age,sex\n42.5,m\n25,f\n42.5,f\n25,m\n' >r.csv
printf 'confidential_row,release_row\n2,2\n3,4\n7,1\n8,3\n' >m.csv
kith measure s.yaml d.csv r.csv --mapping m.csv | sed -n 1,12p
