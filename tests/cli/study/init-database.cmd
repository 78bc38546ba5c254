printf 'age,sex\n34,m\n35,f\n' >d.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying}, {name: sex, role: insensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o 'sqlite:clinic.db?table=patients' -q
kith study init 'sqlite:clinic.db?table=patients' -o t.yaml -q
grep '^study' t.yaml
