kith compare; echo $?
kith compare s.yaml; echo $?
kith compare s.yaml -i - --sites 3; echo $?
kith compare s.yaml -i d.csv --sites 1; echo $?
kith compare s.yaml -i d.csv --sites 3 --delay soon; echo $?
kith compare s.yaml -i d.csv --sites 3; echo $?
cat > s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: ill, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
END
kith compare s.yaml -i d.csv --sites 3; echo $?
printf 'age,ill\n1,a\n2,b\n' > d.csv
kith compare s.yaml -i d.csv --sites 3 --split up; echo $?
kith compare s.yaml -i d.csv --sites 3 --summary no/such/file; echo $?
