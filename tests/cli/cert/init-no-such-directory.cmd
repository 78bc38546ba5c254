trap 'ls -A' EXIT
kith cert init north -o no/such/directory/n.key
