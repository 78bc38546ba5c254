kith cert show missing.key
