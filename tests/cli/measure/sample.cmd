kith generate hospital -n 400 -o p.csv -q --seed 1
sed -i '1i sample: 0.5' p.study.yaml
kith anonymize p.study.yaml -i p.csv -o r.csv -q --seed 7 --summary s.json
kith measure p.study.yaml p.csv r.csv --seed 7 --summary m.json >m.txt
python3 - <<'END'
import json
made, measured = json.load(open("s.json")), json.load(open("m.json"))
print(measured["records"], measured["loss"]["lm"] == made["loss"]["lm"])
END
head -n 2 m.txt
