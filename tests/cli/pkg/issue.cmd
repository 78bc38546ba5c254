generators gen
kith pkg issue gen north --period 2026-11 -o north.id.key | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
stat -c %a north.id.key
sed -E '6,$s/.*/BYTES/; s/blake2b:[0-9a-f]{64}/DIGEST/g' north.id.key | uniq -c
kith pkg show north.id.key --parameters gen/parameters.pkg | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
kith pkg show north.id.key --parameters gen/parameters.pkg --json | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/g'
