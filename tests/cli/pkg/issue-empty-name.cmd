kith pkg init -o gen -q
trap 'ls' EXIT
kith pkg issue gen '' -o north.id.key
