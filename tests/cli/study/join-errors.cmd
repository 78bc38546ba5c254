pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
cp $FIXTURES/joint/a.csv .
{ cat $FIXTURES/joint/rows.yaml; echo 'partition: horizontal'; } > base.yaml
echo "- {name: north, address: 'h:7001', key: 'sha256:$pin'}" > north.party
echo "- {name: 'a b', address: 'HOST:PORT', key: 'sha256:12'}" > bad.party
printf -- "- {name: east, address: 'h:7002', key: 'sha256:${pin/1f/3f}'}\nagain: true\n" > sly.party
trap 'test ! -e s.yaml' EXIT
kith study join base.yaml north.party bad.party sly.party -o s.yaml
