# what is wrong with the whole table is said before any site starts, whatever the protocol
printf 'study: s\ncolumns:\n  - {name: a, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\n  - {name: b, role: quasi-identifying}\n  - {name: ill, role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 3}\n  - {model: l-diversity, variant: frequency, l: 2, attribute: ill}\n' > s.yaml
printf 'pid,a,b,ill\n1,10,x,flu\n2,12,y,flu\n3,14,z,cold\n2,15,x,cold\n' > twice.csv
sed 's/^2,15/,15/' twice.csv > none.csv
sed 's/cold/flu/; s/^2,15/4,15/' twice.csv | head -4 > same.csv
head -3 twice.csv > few.csv
try() { (cat s.yaml; printf "$1") > t.yaml; kith simulate t.yaml -i $2 --sites 2 -o run --no-progress; echo $?; test -e run && echo left; }
for data in twice.csv none.csv; do
  try 'partition: vertical\nids: pid\n' $data
  try 'partition: vertical\nprotocol: encrypted-view\nids: pid\n' $data
done
for data in same.csv few.csv; do
  try 'protocol: weave\n' $data
  try 'protocol: clustering\n' $data
  try 'partition: vertical\n' $data
done
kith compare t.yaml -i few.csv; echo $?
