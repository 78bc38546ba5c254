kith pkg init --help
