# Three sites name records from k = 50 on, unless the study says otherwise; two do not.
kith generate adult -n 3000 --seed 1 -o a.csv -q
sed '/l-diversity/,/half of such/d; s/k: 5}/k: 50}/' a.study.yaml > s.yaml
printf 'partition: vertical\nids: aligned\nmissing: value\n' >> s.yaml
run() { kith simulate $1 -i a.csv -o $2 --sites $3 --seed 1 --in-process --json -q | grep -o '"naming":.*'; }
run s.yaml auto 3
run s.yaml two 2
(cat s.yaml; echo 'name: true') > always.yaml
run always.yaml always 3
(cat s.yaml; echo 'name: false') > never.yaml
run never.yaml never 3
sed 's/k: 50}/k: 49}/' s.yaml > small.yaml
run small.yaml small 3
