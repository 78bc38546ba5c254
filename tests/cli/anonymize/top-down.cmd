# a cut through each hierarchy: levels may differ from subtree to subtree
kith generate adult -n 2000 --seed 3 -o d.csv --quiet
(sed '/^algorithm/d; /^utility/,/^[a-z]*:/{/^utility/d; /^  /d}' d.study.yaml; echo "algorithm: top-down") > s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --json | grep '"algorithm"\|"stopped"\|"levels"'
kith verify s.yaml r.csv --data d.csv --quiet
