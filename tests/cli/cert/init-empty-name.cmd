trap ls EXIT
kith cert init "" -o n.key
