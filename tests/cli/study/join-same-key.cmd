pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
cp $FIXTURES/joint/a.csv .
{ cat $FIXTURES/joint/rows.yaml; echo 'partition: horizontal'; } > base.yaml
echo "- {name: north, address: 'h:7001', key: 'sha256:$pin'}" > north.party
echo "- {name: south, address: 'h:7002', key: '${pin^^}'}" > south.party
kith study join base.yaml north.party south.party -o -
