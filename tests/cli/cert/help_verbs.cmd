kith cert init --help
kith cert show --help
