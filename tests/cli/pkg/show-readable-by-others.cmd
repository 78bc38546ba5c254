generators one
kith pkg issue one north -o north.id.key -q
chmod 604 north.id.key
kith pkg show north.id.key
