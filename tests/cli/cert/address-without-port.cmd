trap 'ls -A' EXIT
! kith cert init north -o north.key --address north.example.org --party north.party
! kith cert init north -o north.key --address north.example.org:https
kith cert init north -o north.key --address :7001
