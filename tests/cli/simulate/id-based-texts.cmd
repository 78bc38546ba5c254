# Sensitive cells keep their texts; quasi-identifiers show the label that the hierarchy file has for the value.
printf 'a,s\n7,4\n007,04\n7,4\n07,4\n7,4\n7,4\n' >d.csv
printf '007;x;*\n8;x;*\n' >h.csv
printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying, type: integer, hierarchy: h.csv}\n  - {name: s, role: sensitive, type: integer}\nprivacy: [{model: k-anonymity, k: 3}]\nprotocol: id-based\nlists: 4\n' >s.yaml
kith simulate s.yaml -i d.csv --sites 2 -o run --in-process -q
kith verify s.yaml run/release.csv --data d.csv -q
cat run/site1/release.csv
