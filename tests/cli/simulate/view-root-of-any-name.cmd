# roots that are not called *: the encrypted view suppresses what one place would have suppressed; so do the sites alone
sed "s,hierarchy: ,hierarchy: $FIXTURES/roots/," $FIXTURES/roots/study.yaml > alone.yaml
kith anonymize alone.yaml -i $FIXTURES/roots/people.csv -o alone.csv --quiet
sorted() { tail -n +2 "$1" | tr -d '\r' | sort; }
for partition in horizontal vertical; do
  (cat alone.yaml; printf "partition: $partition\nprotocol: encrypted-view\n") > joint.yaml
  kith simulate joint.yaml -i $FIXTURES/roots/people.csv --sites 2 -o run --in-process --baseline --quiet --force
  cmp <(sorted run/release.csv) <(sorted alone.csv)
  grep '"suppressed"' run/summary.json
done
kith verify joint.yaml run/release.csv
