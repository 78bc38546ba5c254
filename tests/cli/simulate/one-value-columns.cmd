# what is wrong with the whole table is said before any site starts, whatever the protocol
(cat $FIXTURES/joint/table.yaml; printf 'partition: vertical\n') > t.yaml
trap 'test ! -e run' EXIT
kith simulate t.yaml -i $FIXTURES/joint/same.csv --sites 2 -o run --no-progress
