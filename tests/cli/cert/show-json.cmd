kith cert init north -o n.key -q
kith cert show n.key --json | grep -o '"[a-z]*":'
