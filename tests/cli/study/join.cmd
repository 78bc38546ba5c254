pin=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
cp $FIXTURES/joint/a.csv .
{ cat $FIXTURES/joint/rows.yaml; echo 'partition: horizontal  # a comment stays'; } > base.yaml
echo "- {name: north, address: \"north.example.org:7001\", key: \"sha256:$pin\"}" > north.party
# Somebody else's file: another order of keys, another form of the key, no list.
printf 'key: 2F6D 2B3A %s\naddress: south.example.org:7001\nname: south\n' "$(echo ${pin:8} | sed 's/..../& /g')" > south.party
kith study join base.yaml north.party south.party -o s.yaml
cat s.yaml
