kith study init --help
