kith describe --help
