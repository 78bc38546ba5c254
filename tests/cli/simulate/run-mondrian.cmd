# The columns of the study are in another order than those of the data: the classes must be the same.
{ echo "study: ward"; echo "columns:"
  for column in zip age sex disease; do grep "name: $column," $FIXTURES/joint.yaml; done
  echo "privacy: [{model: k-anonymity, k: 3}, {model: m-privacy, k: 0}]"
  echo "partition: horizontal"; echo "protocol: mondrian"; } > mondrian.yaml
kith anonymize mondrian.yaml -i $FIXTURES/joint.csv -o whole.csv --quiet
kith simulate mondrian.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process |
  sed -E '/^traffic/s/[0-9][0-9.,]*( [kM]?B)?/N/g'
awk -F, '{ print $3 "," $1 "," $2 "," $4 }' whole.csv | sort > expected
sort run/release.csv | cmp - expected
