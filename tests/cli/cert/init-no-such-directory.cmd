trap ls EXIT
kith cert init north -o no/such/directory/n.key
