kith cert init north -o north.key | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g; s/sha256:[0-9a-f]{64}/PIN/'
stat -c %a north.key
grep -c BEGIN north.key
kith cert show north.key --json | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g; s/sha256:[0-9a-f]{64}/PIN/'
stat -c '%n %a %s' north.key.choices
