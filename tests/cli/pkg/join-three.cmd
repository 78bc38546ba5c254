generators one two three
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg issue one north two/parameters.pkg three/parameters.pkg -o part1 -q
kith pkg issue two north three/parameters.pkg one/parameters.pkg -o part2 -q
kith pkg issue three north one/parameters.pkg two/parameters.pkg -o part3 -q
kith pkg join part2 part3 part1 --parameters joint.pkg -o north.id.key -q
kith pkg show north.id.key --parameters joint.pkg | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/'
