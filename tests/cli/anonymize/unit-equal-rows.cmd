# 300 persons with 5 equal rows each: no class has fewer than 5 of them, counted here from data and mapping
awk 'BEGIN { print "pid,age"; for (i = 0; i < 300; i++) for (j = 0; j < 5; j++) print "p" i "," i % 100 }' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [2, 4, 20]}, domain: {range: [0, 119]}}
privacy: [{model: k-anonymity, k: 5}]
unit: pid
END
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 --mapping m.csv
awk -F, 'NR == FNR { whose[FNR - 1] = $1; next } FNR > 1 && !(($NF, whose[$1]) in seen) { seen[$NF, whose[$1]]; n[$NF]++ }
  END { least = 300; for (c in n) if (n[c] < least) least = n[c]; print least " persons in the smallest class" }' d.csv m.csv
