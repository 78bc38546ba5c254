printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\nprivacy:\n  - {model: k-anonymity, k: 2}\n  - {model: m-privacy, k: 2}\n  - {model: l-site-diversity, variant: sites, l: 2}\npartition: horizontal\n' > s.yaml
printf 'a\n0-9\n0-9\n20-29\n20-29\n' > r.csv
kith verify s.yaml r.csv; echo $?
kith verify s.yaml r.csv --json | grep -A3 not_checked
# nobody has any rows
printf 'a\n' > empty.csv
sed -e '/m-privacy/d' -e '/l-site/d' s.yaml > v.yaml; echo 'protocol: encrypted-view' >> v.yaml
kith simulate v.yaml -i empty.csv --sites 2 -o run --in-process; echo $?
