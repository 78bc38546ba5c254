generators gen
kith pkg issue gen north -o north.id.key -q
cp north.id.key old.key
trap 'cmp north.id.key old.key' EXIT
kith pkg issue gen north -o north.id.key
