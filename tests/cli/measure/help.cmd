kith measure --help
