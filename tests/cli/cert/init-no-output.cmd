trap ls EXIT
kith cert init north
