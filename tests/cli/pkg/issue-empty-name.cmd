kith pkg init -o gen -q
trap 'ls -A' EXIT
kith pkg issue gen '' -o north.id.key
