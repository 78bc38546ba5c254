printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\n  - {name: b, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\n  - {name: ill, role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 2}\n' > s.yaml
try() { (cat s.yaml; printf "$1") > t.yaml; kith study check t.yaml; echo $?; }
try 'partition: vertical\nids: pid\nprivate_diversity: true\n'
try 'partition: horizontal\nids: pid\nunmatched: error\n'
try 'protocol: clustering\nids: pid\nunmatched: error\n'
try '  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a, b]}\npartition: horizontal\n'
try '  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [a]}\npartition: horizontal\n'
# an error of a study that is used, and none of its warnings
sed 's/, domain: {range: \[0, 99\]}//' s.yaml > d.yaml; echo 'partition: horizontal' >> d.yaml; echo 'noise: 0.5' >> d.yaml
kith simulate d.yaml -i none.csv --sites 2 -o run; echo $?
