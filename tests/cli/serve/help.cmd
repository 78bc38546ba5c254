kith serve --help
