kith pkg init -o gen --name 'the ministry' | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/'
stat -c '%n %a' gen gen/*
sed -E '5,$s/.*/BYTES/; s/blake2b:[0-9a-f]{64}/DIGEST/' gen/parameters.pkg | uniq -c
sed -E '4,$s/.*/BYTES/; s/blake2b:[0-9a-f]{64}/DIGEST/' gen/master.key | uniq -c
kith pkg show gen --json | sed -E 's/blake2b:[0-9a-f]{64}/DIGEST/'
