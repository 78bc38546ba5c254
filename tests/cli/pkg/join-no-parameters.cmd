generators one two
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg issue one north two/parameters.pkg -o part1 -q
kith pkg issue two north one/parameters.pkg -o part2 -q
kith pkg join part1 part2 -o north.id.key
