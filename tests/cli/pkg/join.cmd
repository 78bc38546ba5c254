generators one two
kith pkg join one/parameters.pkg two/parameters.pkg -o joint.pkg --name both | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
kith pkg join two/parameters.pkg one/parameters.pkg -o again.pkg --name both -q
cmp joint.pkg again.pkg && echo same
kith pkg issue one north two/parameters.pkg --period 2026-11 -o part1 | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
kith pkg issue two north one/parameters.pkg --period 2026-11 -o part2 -q
kith pkg join part1 part2 --parameters joint.pkg -o north.id.key | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
stat -c '%n %a' joint.pkg part1 north.id.key
kith pkg show joint.pkg --json | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
kith pkg show part1 --json | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
kith pkg show north.id.key --parameters joint.pkg | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
