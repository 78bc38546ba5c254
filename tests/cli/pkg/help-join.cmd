kith pkg join --help
