pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
echo "- {name: north, address: 'h:7001', key: 'sha256:$pin'}" > north.party
kith study join $FIXTURES/two-parties.yaml north.party north.party -o s.yaml
