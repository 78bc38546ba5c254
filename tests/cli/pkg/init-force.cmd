kith pkg init -o gen -q
cp gen/master.key old.key
kith pkg init -o gen -q --force
cmp -s gen/master.key old.key || echo changed
stat -c '%n %a' gen/*
kith pkg show gen -q
