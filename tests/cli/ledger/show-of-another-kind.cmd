echo '{"a": 1}' > ledger.json
kith ledger show .
