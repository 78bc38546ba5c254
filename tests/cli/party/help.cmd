kith party --help
