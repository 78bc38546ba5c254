kith estimate --help
