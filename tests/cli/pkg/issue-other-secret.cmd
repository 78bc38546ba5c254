generators one two
cp one/master.key two/master.key
trap 'ls -A' EXIT
kith pkg issue two north -o north.id.key
