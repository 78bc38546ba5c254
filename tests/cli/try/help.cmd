kith try --help
