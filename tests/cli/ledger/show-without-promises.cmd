kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv --sites 3 --in-process --seed 1 -o run -q
# As an earlier version wrote it.
sed -E 's/"discloses":/"unknown":/; /"(promise|says)":/d' run/site1/ledger.json > old.json
kith ledger show old.json | sed -n '/learned/,$p'
