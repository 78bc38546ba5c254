kith ledger show missing
