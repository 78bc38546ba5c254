kith pkg init -o one -q
kith pkg init -o two -q
cp one/master.key two/master.key
trap 'ls -A' EXIT
kith pkg issue two north -o north.id.key
