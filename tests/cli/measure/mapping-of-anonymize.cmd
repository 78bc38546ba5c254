# the run checks and measures row by row before it sorts: measure finds the same, with the mapping
kith generate hospital -n 400 -o p.csv -q --seed 1
sed -i '1i sample: 0.5' p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7 --mapping m.csv --summary s.json
kith measure p.study.yaml p.csv r.csv --mapping m.csv --json >m.json
python3 - <<'END'
import json
made, measured = json.load(open("s.json")), json.load(open("m.json"))
print(measured["cover"]["check"], measured["records"])
print([key for key in made["loss"] if key != "kl" and made["loss"][key] != measured["loss"][key]])
END
