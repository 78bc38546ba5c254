kith study digest --help
