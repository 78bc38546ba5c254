kith smc --help
