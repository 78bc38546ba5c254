# The study's changes hold for the population as well: whoever is 95 or 101 looks like a released 90.
printf 'age\n97\n90\n' >d.csv
printf 'age\n95\n101\n30\n' >people.csv
printf 'study: s\ncolumns: [{name: age, role: quasi-identifying, type: integer, top: 90}]\nprivacy: [{model: k-map, k: 2, population: people.csv}]\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv -q
kith verify s.yaml r.csv --data d.csv -q
cat r.csv
