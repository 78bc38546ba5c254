# roots that are not called *: one record is suppressed by every search; summary, metadata, verify and measure count it
for algorithm in flash ola incognito breadth-first depth-first datafly top-down; do
  sed "s/^algorithm: .*/algorithm: $algorithm/; s,hierarchy: ,hierarchy: $FIXTURES/roots/," $FIXTURES/roots/study.yaml > s.yaml
  kith anonymize s.yaml -i $FIXTURES/roots/people.csv -o $algorithm.csv --summary s.json --quiet --force
  echo "$algorithm: $(grep -c 'ANY,Alle Länder' $algorithm.csv) row"
  grep -h '"suppressed"' s.json $algorithm.csv.meta.json
done
kith verify s.yaml top-down.csv
kith verify s.yaml top-down.csv --data $FIXTURES/roots/people.csv
kith measure s.yaml $FIXTURES/roots/people.csv top-down.csv --json | grep '"suppressed"'
