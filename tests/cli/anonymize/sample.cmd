kith generate hospital -n 300 -o p.csv --seed 1 >/dev/null
echo 'sample: 0.2' >>p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv --seed 1 | head -n 1
kith anonymize p.study.yaml -i p.csv -o again.csv --seed 1 -q && cmp r.csv again.csv
grep '"sample"' r.csv.meta.json
tail -n +2 r.csv | wc -l
kith verify p.study.yaml r.csv --data p.csv | tail -n 1
