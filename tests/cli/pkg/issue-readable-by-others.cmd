kith pkg init -o gen -q
chmod 640 gen/master.key
trap ls EXIT
kith pkg issue gen north -o north.id.key
