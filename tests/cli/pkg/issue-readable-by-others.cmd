generators gen
chmod 640 gen/master.key
trap 'ls -A' EXIT
kith pkg issue gen north -o north.id.key
