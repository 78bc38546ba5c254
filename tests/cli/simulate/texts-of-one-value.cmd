# numbers that are written in several ways are released as each site has them
(echo pid,age,sex,dose; for i in 10 11 12 13 14 15; do echo $i,007,f,1.50; echo 2$i,7,f,2; echo 3$i,7,m,1.5; echo 4$i,007,m,2.0; done) > d.csv
cat > s.yaml <<'END'
study: texts
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}}
  - {name: sex, role: quasi-identifying}
  - {name: dose, role: sensitive, type: decimal}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: frequency, l: 1.5, attribute: dose}
END
for how in "horizontal weave" "horizontal clustering" "vertical clustering"; do
  set -- $how
  (cat s.yaml; printf "partition: $1\nprotocol: $2\n") > joint.yaml
  kith simulate joint.yaml -i d.csv --sites 2 -o run --in-process --quiet --force --seed 1
  echo "$how: $(tail -n +2 run/release.csv | cut -d, -f3 | sort | uniq -c | xargs)"
  cut -d, -f1 run/release.csv | sort -u | xargs
done
kith verify joint.yaml run/release.csv
