kith pkg show --help
