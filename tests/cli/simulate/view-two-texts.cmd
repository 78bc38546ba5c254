# The encrypted view releases one text of each sensitive value.
printf 'a,b,s\nx,u,4\ny,v,4.0\nx,v,5\n' >d.csv
printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying}\n  - {name: b, role: quasi-identifying}\n  - {name: s, role: sensitive, type: decimal}\nprivacy: [{model: k-anonymity, k: 3}]\npartition: vertical\nprotocol: encrypted-view\nalgorithm: flash\n' >s.yaml
kith simulate s.yaml -i d.csv --sites 2 --split columns:a/b,s -o run --in-process -q
kith verify s.yaml run/release.csv --data d.csv -q
cat run/site1/release.csv
