generators one two
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg issue one north -o part1 -q
kith pkg issue two north -o part2 -q
kith pkg join part1 part2 --parameters joint.pkg -o north.id.key
