kith study digest missing.yaml --json
