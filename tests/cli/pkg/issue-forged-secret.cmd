generators one two
sed -n '/^parameters/p' two/master.key > line
sed -i "2s/.*/$(cat line)/" one/master.key
cp one/master.key two/master.key
trap 'ls -A' EXIT
kith pkg issue two north -o north.id.key
