# a key of somebody else is refused before anything is said or made for it
kith cert init north -o n.key --quiet
rm -f n.key.choices
printf 'age\n1\n1\n' >d.csv
{ cat $FIXTURES/two-parties.yaml; echo 'partition: horizontal'; } >s.yaml
trap 'ls -A' EXIT
kith party s.yaml -i d.csv -o run --as north --key n.key 2>&1 | sed -E 's/certificate sha256:[0-9a-f]{64}/certificate PIN/'
