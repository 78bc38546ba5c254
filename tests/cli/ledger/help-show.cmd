kith ledger show --help
