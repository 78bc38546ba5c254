# Two sensitive columns that are trimmed in turn; the release is verified by itself.
(sed '/^partition\|^protocol/d' $FIXTURES/joint.yaml; printf 'partition: horizontal\nprotocol: weave\n') | sed \
  -e 's/^.*name: disease.*$/&\n  - {name: ward, role: sensitive}/' \
  -e 's/^.*model: k-anonymity.*$/&\n  - {model: l-diversity, l: 2, attribute: disease}\n  - {model: alpha-k, alpha: 0.6, k: 4, attribute: ward}/' > s.yaml
kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --no-progress |
  sed -n '/^classes/p;/^loss/p;/^holds/,$p'
kith verify s.yaml run/release.csv --data $FIXTURES/joint.csv --quiet
