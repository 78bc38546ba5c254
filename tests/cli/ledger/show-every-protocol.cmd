# Every protocol and split: the dry run announces what every party learns.
try() {
  (cat $FIXTURES/joint.yaml; printf '%b' "$1") > s.yaml
  kith simulate s.yaml -i $FIXTURES/joint.csv -o run --seed 1 --in-process --quiet --force "${@:2}"
  for party in run/*/; do kith ledger show "$party" > out || { cat out; exit 1; }; tail -n 1 out; done
  rm -r run
}
try 'partition: horizontal\n' --sites 2
try 'partition: horizontal\npublish: own-rows\n' --sites 3
try 'protocol: clustering\n' --sites 3
try 'protocol: mondrian\n' --sites 3
try 'protocol: encrypted-view\n' --sites 2
try 'partition: vertical\n' --sites 2
try 'partition: vertical\nprotocol: encrypted-view\n' --sites 3
try 'partition: hybrid\n' --split 2x2
