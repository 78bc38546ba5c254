generators one
kith pkg issue one north -o north.id.key -q
kith pkg show north.id.key --parameters north.id.key
