kith cert init north -o north.key --quiet
cp north.key old.key
cp north.key.choices old.choices
kith cert init north -o north.key --force --quiet
cmp -s north.key old.key || echo changed
stat -c %a north.key
cmp north.key.choices old.choices && echo kept
