# m-privacy is a default of weave: clustering may form a class of one site's records.
printf 'a,b\nx,1\nx,2\n' >d.csv
printf 'study: s\ncolumns: [{name: a, role: quasi-identifying}, {name: b, role: sensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\nprotocol: clustering\n' >s.yaml
kith simulate s.yaml -i d.csv --sites 2 --split hash:a -o run --in-process -q
cat run/site1/release.csv
