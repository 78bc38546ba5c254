pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
cp $FIXTURES/joint/a.csv .
echo "- {name: n, address: 'h:7001', key: 'sha256:$pin', columns: [a, note]}" > n.party
echo "- {name: s, address: 'h:7002', key: 'sha256:${pin/1f/2f}', columns: [b, d, e]}" > s.party
kith study join $FIXTURES/joint/columns.yaml n.party s.party -o joined.yaml -q
tail -n 3 joined.yaml
