mkdir parts
printf 'age,sex\n30,f\n31,m\n' >parts/a.csv
printf 'age,gender\n30,f\n' >parts/b.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\n' >s.yaml
kith anonymize s.yaml -i 'parts/*.csv' -o r.csv
