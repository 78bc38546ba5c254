generators gen
cp gen/master.key old.key
trap 'cmp gen/master.key old.key' EXIT
kith pkg issue gen north -o gen/../gen/master.key --force
