echo '{"learned": [{"what": "sum", "count": 3}, {"what": "sum", "count": 1e99}], "traffic": []}' > ledger.json
kith ledger show .
