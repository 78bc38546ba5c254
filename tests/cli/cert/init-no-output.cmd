trap 'ls -A' EXIT
kith cert init north
