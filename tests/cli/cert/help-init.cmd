kith cert init --help
