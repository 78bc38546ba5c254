# m-privacy in clustering asks for no record of others, or three: a class may be of one site's records alone.
printf 'a,b\nx,1\nx,2\nx,3\n' >d.csv
printf 'study: s\ncolumns: [{name: a, role: quasi-identifying}, {name: b, role: sensitive}]\nprivacy: [{model: k-anonymity, k: 2}]\nprotocol: clustering\n' >s.yaml
kith simulate s.yaml -i d.csv --sites 2 --split hash:a -o run --in-process -q
cat run/site1/release.csv
