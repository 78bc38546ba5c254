# A row of a joint study that has nothing but its identifier is a record, and one that has not even that is none.
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: a, role: quasi-identifying}
  - {name: b, role: quasi-identifying}
privacy: [{model: k-anonymity, k: 2}]
partition: vertical
protocol: weave
ids: pid
END
printf 'pid,a,b\n1,x,u\n2,x,u\n3,,\n4,,\n' >d.csv
kith simulate s.yaml -i d.csv -o run --in-process --sites 2 --split columns:a/b --seed 1 -q
echo ',,' >>d.csv
kith verify s.yaml run/release.csv --data d.csv
kith measure s.yaml d.csv run/release.csv | head -1
