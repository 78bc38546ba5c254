kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv --sites 3 --in-process --seed 1 -o run -q
kith ledger show run/site1 --json > shown.json
grep -o '"[a-z_]*":' shown.json | sort -u
