(sed '/^partition\|^protocol/d' $FIXTURES/joint.yaml; printf 'partition: vertical\nprotocol: weave\n') > s.yaml
kith simulate s.yaml -i $FIXTURES/joint.csv -o run --split columns:age,disease/sex,zip --seed 1 --no-progress | grep -v "^t"
cut -d, -f1-3 run/release.csv | sort | uniq -c
grep -c 'in which part of its set' run/site1/ledger.txt
