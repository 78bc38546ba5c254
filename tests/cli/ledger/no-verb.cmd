kith ledger
