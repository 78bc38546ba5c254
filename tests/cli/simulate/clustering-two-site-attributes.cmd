# Values of two attributes that only one site has do not show.
printf 'site,a,b\n1,x,u\n1,x,u\n1,y,u\n2,x,v\n2,x,u\n2,x,u\n' >d.csv
printf 'study: s\ncolumns: [{name: a, role: quasi-identifying}, {name: b, role: quasi-identifying}]\nprivacy:\n  - {model: k-anonymity, k: 2}\n  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a, b]}\nprotocol: clustering\n' >s.yaml
kith simulate s.yaml -i d.csv --sites 2 --split by:site -o run --in-process -q --seed 1
! grep -E 'y|v' run/release.csv
