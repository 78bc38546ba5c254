kith --help
