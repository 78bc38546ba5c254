sed -e 's/alice, key/north, key/' -e 's/per_day: 5/per_day: 2000000, rows: maybe, often: 1/' $FIXTURES/virtual.yaml >s.yaml
sed -i 's/^parties:/  - {name: bob, key: "sha256:1111111111111111111111111111111111111111111111111111111111111111"}\n  - {name: bob, key: "md5:1"}\n  - {name: carol, key: "sha256:1111111111111111111111111111111111111111111111111111111111111111", address: "h:1"}\nparties:/' s.yaml
kith study check s.yaml
