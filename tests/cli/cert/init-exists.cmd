kith cert init north -o north.key --quiet
cp north.key old.key
trap 'cmp north.key old.key' EXIT
kith cert init north -o north.key
