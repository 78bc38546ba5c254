# a cut through each hierarchy: levels may differ from subtree to subtree
kith generate adult -n 2000 --seed 3 -o d.csv --quiet
(sed '/^algorithm/d; /^utility/,/^[a-z]*:/{/^utility/d; /^  /d}' d.study.yaml; echo "algorithm: top-down") > s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --json | grep '"algorithm"\|"stopped"\|"levels"'
kith verify s.yaml r.csv --data d.csv --quiet && echo verified
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > p.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: top-down") > t.yaml
kith anonymize t.yaml -i p.csv -o r.csv --force --quiet; cat r.csv
kith verify t.yaml r.csv --data p.csv --quiet && echo verified
