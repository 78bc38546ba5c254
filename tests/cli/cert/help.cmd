kith cert --help
