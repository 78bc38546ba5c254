# One person, whose number is written in three ways, has all rows at one site.
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying, type: integer}
  - {name: age, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}, {model: m-privacy, k: 0}]
unit: pid
overlap: none
partition: horizontal
protocol: mondrian
END
printf 'pid,age\n1,20\n01,20\n001,20\n2,20\n' >d.csv
kith simulate s.yaml -i d.csv -o run --in-process --sites 2 --split rows --seed 1 -q
grep -ho '"own_records":	[0-9]*' run/site*/summary.json | sort
