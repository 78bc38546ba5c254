kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv --sites 3 --in-process --seed 1 -o run -q
kith ledger show run/site1 | sed -E 's/^(run +)[0-9a-f]+/\1HEX/; s/^((digest)? +)([0-9a-f]{4} ?){8}$/\1GROUPS/; s/[0-9.]+ k?B in [0-9]+ message/N B in N message/'
