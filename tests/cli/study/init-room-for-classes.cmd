awk 'BEGIN { print "age,diagnosis,smoker,birth"; for (i = 0; i < 400; i++)
  printf "%d,%s,%s,%d\n", 20 + i * 7 % 60, i * 31 % 400 < 210 ? "flu" : i % 2 ? "gout" : "cold", i % 50 ? "no" : "yes", 1940 + i % 60 }' >d.csv
kith study init d.csv -o s.yaml
grep l-diversity s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 | sed -n '/^classes/p; /^holds/,$p'
