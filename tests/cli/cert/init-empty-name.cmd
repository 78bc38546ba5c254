trap 'ls -A' EXIT
kith cert init "" -o n.key
