kith study digest --expect --json
