# however the table is split, searches of lattices release what one place would have released
cut -d, -f1-5 $FIXTURES/joint.csv > d.csv
(sed '/^algorithm/d' $FIXTURES/joint.yaml; echo "algorithm: flash") > alone.yaml
kith anonymize alone.yaml -i d.csv -o alone.csv --quiet
sorted() { tail -n +2 "$1" | tr -d '\r' | sort; }
for how in "horizontal --sites 2" "horizontal --sites 5" "vertical --sites 2" "hybrid --sites 4 --split 2x2"; do
  set -- $how
  (cat alone.yaml; printf "partition: $1\nprotocol: encrypted-view\n") > joint.yaml
  kith simulate joint.yaml -i d.csv "${@:2}" -o run --in-process --quiet --force
  cmp <(sorted run/release.csv) <(sorted alone.csv)
done
wc -l < alone.csv
