kith cert init north -o north.key | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g; s/sha256:[0-9a-f]{64}/PIN/; s/([0-9a-f]{4} ){7,15}[0-9a-f]{4}/GROUPS/; s/([a-z]{3,8} ){7,31}[a-z]{3,8}/WORDS/'
stat -c %a north.key
grep -c BEGIN north.key
kith cert show north.key --json | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/g; s/sha256:[0-9a-f]{64}/PIN/; s/([0-9a-f]{4} ){7,15}[0-9a-f]{4}/GROUPS/; s/([a-z]{3,8} ){7,31}[a-z]{3,8}/WORDS/'
stat -c '%n %a %s' north.key.choices
