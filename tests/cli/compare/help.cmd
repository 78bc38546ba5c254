kith compare --help
