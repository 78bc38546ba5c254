generators one two
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg issue one north two/parameters.pkg -o part1 -q
kith pkg join part1 two/parameters.pkg --parameters joint.pkg -o x
