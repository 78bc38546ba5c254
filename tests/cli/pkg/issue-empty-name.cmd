generators gen
trap 'ls -A' EXIT
kith pkg issue gen '' -o north.id.key
