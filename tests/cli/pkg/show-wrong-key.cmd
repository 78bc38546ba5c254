generators one two
kith pkg issue one north -o north.id.key -q
kith pkg show north.id.key --parameters one/parameters.pkg | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/'
kith pkg show north.id.key --parameters two/parameters.pkg -q
