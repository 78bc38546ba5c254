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
# Joint releases come in a random order, which may be that of the data: here it never is.
{ head -n 1 run/release.csv; tail -n +2 run/release.csv | sort; } >r.csv
kith verify s.yaml r.csv --data d.csv
kith measure s.yaml d.csv r.csv | head -1
