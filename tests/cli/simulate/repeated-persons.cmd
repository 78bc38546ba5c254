printf '%s\n' patid,age 1,31 1,32 2,35 2,38 3,36 3,33 4,31 4,33 >d.csv
cat >s.yaml <<'END'
study: s
columns: [{name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}]
privacy: [{model: k-anonymity, k: 2}]
END
kith simulate s.yaml -i d.csv --sites 2 -o run --in-process --seed 1 --summary s.json >/dev/null 2>warnings.txt
grep patid warnings.txt
grep -A1 '"warnings"' s.json
kith report run -o r.html --internal -q 2>/dev/null || kith report s.json -o r.html --internal -q
grep -c 'patid: 4 values in 8 rows' r.html
