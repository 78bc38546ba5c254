# of suppressed rows in another order it is not known which records they are
kith generate hospital -n 300 --seed 1 -o p.csv >/dev/null
sed 's/^  measure: lm/  {measure: entropy, suppression: 0.1}/' p.study.yaml >s.yaml
echo 'algorithm: flash' >>s.yaml
kith anonymize s.yaml -i p.csv -o r.csv -q --seed 1
{ head -n 1 r.csv; tail -n +2 r.csv | sort; } >t.csv
kith measure s.yaml p.csv t.csv --seed 3 | sed -n '/^attribute/,/^all/p'
