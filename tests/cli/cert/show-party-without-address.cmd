kith cert init north -o n.key -q
kith cert show n.key --party north.party
