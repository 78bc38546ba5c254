kith estimate; echo $?
kith estimate s.yaml; echo $?
kith estimate s.yaml -i d.csv --sites 1; echo $?
kith estimate s.yaml -i d.csv --sites 3 --latency 10ms; echo $?
kith estimate s.yaml -i d.csv --sites 3 --latency soon --megabits 10; echo $?
cat > s.yaml <<'END'
study: s
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}}
  - {name: ill, role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
END
printf 'age,ill\n1,a\n2,b\n' > d.csv
printf 'age,ill\n' > empty.csv
kith estimate s.yaml -i d.csv --sites 3; echo $?
echo 'partition: horizontal' >> s.yaml
kith estimate s.yaml -i empty.csv --sites 3; echo $?
kith estimate s.yaml -i missing.csv --sites 3; echo $?
kith estimate s.yaml -i d.csv; echo $?
kith estimate s.yaml -i d.csv --sites 3 --records 1; echo $?
