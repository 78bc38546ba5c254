generators one two three
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg issue one north two/parameters.pkg three/parameters.pkg -o part1 -q
kith pkg issue two north three/parameters.pkg one/parameters.pkg -o part2 -q
trap 'ls -A' EXIT
kith pkg join part1 part2 --parameters joint.pkg -o north.id.key 2>&1 | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
