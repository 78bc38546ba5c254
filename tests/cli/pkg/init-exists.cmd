kith pkg init -o gen -q
cp gen/master.key old.key
trap 'cmp gen/master.key old.key && ls gen' EXIT
kith pkg init -o gen
