# Two sites that write the same persons differently: nobody is found, unless the study says how to compare them.
awk 'BEGIN { print "pid,age,site"; for (s = 0; s < 2; s++) for (p = 20 * s; p < 20 * s + 40; p++) printf "%s%d,%d,%d\n", s ? "a" : "A", p, 20 + p % 30, s }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}
privacy: [{model: k-anonymity, k: 3}]
unit: pid
overlap: matched
hide_sizes: true
partition: horizontal
END
{ cat s.yaml; echo 'match: case'; } >case.yaml
for study in s case; do
  kith simulate $study.yaml -i d.csv --split by:site --sites 2 -o $study --in-process --seed 1 --no-progress | grep -E '^(records|persons)'
  grep -c 'does this person of its own count at another party' $study/site2/ledger.txt
done
