kith query --help
