# Only a party knows how much of the rows it may have: it is told what that means.
cp $FIXTURES/joint/a.csv .
key=sha256:$(printf '0%.0s' {1..64})
(cat $FIXTURES/joint/rows.yaml; printf 'partition: horizontal\nparties:\n  - {name: north, address: "h:7001", key: "%s"}\n  - {name: south, address: "h:7002", key: "%s"}\n' $key ${key%0}1) > s.yaml
printf 'id,a,b,d\n1,a,a,flu\n2,a,b,cold\n' > d.csv
kith study check s.yaml d.csv --as north
