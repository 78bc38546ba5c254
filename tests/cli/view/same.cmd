# however the table is split, searches of lattices release what one place would have released
cut -d, -f1-5 $FIXTURES/joint.csv > d.csv
sed '/^algorithm/d' $FIXTURES/joint.yaml > base.yaml
sorted() { tail -n +2 "$1" | tr -d '\r' | sort; }
for algorithm in flash ola top-down; do
  { cat base.yaml; echo "algorithm: $algorithm"; } > alone.yaml
  kith anonymize alone.yaml -i d.csv -o alone.csv --quiet --force || echo failed
  for how in "horizontal 2" "horizontal 5" "vertical 2" "hybrid 4"; do
    set -- $how
    { cat alone.yaml; echo "partition: $1"; echo "protocol: encrypted-view"; } > joint.yaml
    kith simulate joint.yaml -i d.csv --sites $2 $([ $1 = hybrid ] && echo --split 2x2) -o run \
      --in-process --quiet --force || echo failed
    sorted run/release.csv > joint; sorted alone.csv > one
    cmp -s joint one && echo "$algorithm, $how sites: the same $(wc -l < one) rows"
  done
done
