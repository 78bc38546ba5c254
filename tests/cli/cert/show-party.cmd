kith cert init north -o n.key -q
kith cert show n.key --address north.example.org:7001 --party north.party -q
sed -E 's/sha256:[0-9a-f]{64}/PIN/; s/([0-9a-f]{4} ){15}[0-9a-f]{4}/GROUPS/' north.party
