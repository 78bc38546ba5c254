kith cert show --help
