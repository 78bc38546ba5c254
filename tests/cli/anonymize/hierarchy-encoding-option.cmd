printf 'a;Gr\374n;*\nb;Rot;*\n' >colours.csv
printf 'x,d\na,1\nb,2\na,1\nb,2\n' >data.csv
printf '%s\n' 'study: s' 'columns:' '  - {name: x, role: quasi-identifying, hierarchy: colours.csv}' '  - {name: d, role: sensitive}' 'privacy: [{model: k-anonymity, k: 2}]' >study.yaml
kith anonymize study.yaml -i data.csv -o release.csv --encoding WINDOWS-1252
