kith pkg --help
