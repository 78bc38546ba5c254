kith study --help
