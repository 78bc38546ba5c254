kith generate hospital -n 60 --seed 1 -o d.csv -q
sed -i '/l-diversity/d; /makes up more/d' d.study.yaml
{ cat d.study.yaml; printf 'partition: vertical\nids: pid\nprotocol: weave\npools: true\n'; } > columns.yaml
cat d.study.yaml - > virtual.yaml <<END
partition: horizontal
publish: virtual
queries: {rows: true}
parties:
  - {name: north, address: "n:1", key: "sha256:$(printf '1%.0s' $(seq 64))"}
  - {name: south, address: "s:1", key: "sha256:$(printf '2%.0s' $(seq 64))"}
END
for study in columns virtual; do
  kith compare $study.yaml -i d.csv --sites 2 --in-process --seed 1 -q --summary $study.json
  grep -oE '"(way|refused)".*' $study.json
done
