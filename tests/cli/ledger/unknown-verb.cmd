kith ledger explain run
