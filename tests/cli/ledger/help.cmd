kith ledger --help
